/// Bounds on response times: the worst case of each task, from the times of its kernels alone and the arrivals of jobs.
///
/// A kernel is a pool of blocks. Once on an SM, a block runs to its end. A kernel waits while an earlier one has blocks left
/// to send: one of a more urgent level, or an earlier one of the same level (models/work_distributor/leftover.cpp). So the
/// analysis models the engine as one processor whose jobs are kernels:
///
/// - a kernel takes no longer than alone once those before it have sent their blocks and the running blocks have ended: list
///   scheduling of equal blocks on equal slots ends no later if no slot becomes free later;
/// - this holds for all sets of SMs that kernels may use: a kernel gets those of its own SMs that no kernel before it with
///   blocks left may use (models/work_distributor/in_turn.h). So once those before it have ended, its own slots are free, and
///   some of them were free earlier. Kernels on other SMs are counted as if they were on its own, which is pessimistic;
/// - a stream submits a kernel when the host knows the end of the previous one. So no stream has more than one kernel at the
///   work distributor, and each kernel of a job has its own bound: what a job waits for between two kernels, it also waits
///   for when alone.
///
/// The bound of a kernel is the least fixed point of
///
///   w = end_of(C + B + sum over streams of its level of C_j + sum over more urgent j of most_j(w + R_j) * (C_j + n_j * P))
///
/// where C is its time alone, B the longest block of a less urgent stream, C_j in the first sum the longest kernel of a
/// stream and in the second sum all n_j kernels of a job, and P the longest block that a more urgent kernel may find on the
/// SMs. end_of() is the supply of the context and most_j() the arrivals (both arrival_curve.h). In words:
///
///   levels     response-time analysis, Joseph and Pandya, "Finding Response Times in a Real-Time System", The Computer
///              Journal 29(5), 1986: the fixed point; with releases that are put off by up to R_j, Audsley, Burns,
///              Richardson, Tindell and Wellings, "Applying New Scheduling Theory to Static Priority Pre-emptive
///              Scheduling", Software Engineering Journal 8(5), 1993. P is the cost of a preemption, as context switches in
///              Burns, Tindell and Wellings, "Effective Analysis for Engineering Real-Time Fixed Priority Schedulers", IEEE
///              Transactions on Software Engineering 21(5), 1995.
///   blocking   by what is not preempted: George, Rivierre and Spuri, "Preemptive and Non-Preemptive Real-Time
///              Uni-Processor Scheduling", INRIA RR-2966, 1996. Blocks of other streams may still run when a kernel
///              comes. A block of a stream of its level lasts no longer than that stream's kernel, which is then not
///              ahead; blocks of a more urgent job are part of that job, which is counted.
///   one level  first in, first out: at most one kernel of each other stream is ahead, as with processors that queue for a
///              lock (Block, Leontyev, Brandenburg and Anderson, "A Flexible Real-Time Locking Protocol for
///              Multiprocessors", RTCSA 2007).
///
/// If contexts take turns, a context keeps its slice from one kernel of a stream to the next if the host has submitted the
/// latter (models/work_distributor/engine.h). So a job whose launches are submitted together is also bounded as a whole, and
/// the smaller bound holds:
///
///   w = end_of(alone + n * (B + sum over streams of its level of C_j) + sum over more urgent j of most_j(w + R_j) * ...)
///
/// where `alone` is its response time alone, because time between its kernels passes whether or not its context is on.
///
/// Each copy of a job waits for at most one copy of every other stream: a single copy engine serves them first in, first out,
/// and no stream has two copies there.
///
/// If jobs may overrun their budgets (models/host/core_modes.cpp), there are two problems. In mode lo no job overruns. In
/// mode hi each job takes its maximum, and no job of a dropped task begins. This is AMC-rtb (Baruah, Burns and Davis,
/// "Response-Time Analysis for Mixed Criticality Systems", RTSS 2011, equation 8: R_i = C_i(HI) + sum over hp, HI of ceil(R_i
/// / T_j) C_j(HI) + sum over hp, LO of ceil(R_i(LO) / T_k) C_k(LO)). A job that is active at the change of mode is not older
/// than its bound in mode lo, R_i(LO). So a more urgent task k that is dropped has most_k(min(w, R_i(LO)) + R_k(LO)) jobs
/// instead of most_k(w + R_k): those released before the change, or up to R_k(LO) before the kernel arrived. If a kernel
/// exceeds its own job's budget, the mode has changed before it: then it is most_k(R_k(LO)). Without dropped tasks this is
/// static mixed criticality, in the same paper.
///
/// A stream serves its jobs one after the other. Let S be the bound of a job that finds its stream free. The q-th job of a
/// backlog ends at most q * S after the arrival of the first job, and arrives distance(q) after it. The largest difference is
/// the bound, as over the instances of a busy period in Davis et al.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/bounds/arrival_curve.h"
#include "tlm/base/time.h"

namespace gputlm {

/// A kernel, as measured when nothing else runs; core cycles.
struct BoundKernel {
  Cycle time = 0;   ///< time from its arrival at the work distributor until that notices the end of its last block
  Cycle block = 0;  ///< duration of its longest block, from being sent until its end is noticed; at most `time`
  bool beyond_budget = false;  ///< whether it runs only in jobs that overrun, in mode hi
};

/// A task: a stream that serves its jobs one after the other.
struct BoundTask {
  std::size_t context = 0;                ///< index in BoundProblem::contexts
  int level = 0;                          ///< level of its stream; lower is more urgent
  std::vector<BoundKernel> kernels = {};  ///< kernels of a job, one after the other; none takes 0 cycles
  Cycle alone = 0;                        ///< response time of a job when nothing else runs
  ArrivalCurve arrivals = ArrivalCurve::of({0}, false);
  Cycle copies_wait = 0;  ///< maximum total wait of a job's copies for those of other streams
  /// The launches of a job enter its stream together, with nothing between them: its context has work from the arrival of the
  /// first until the end of the last.
  bool comes_together = false;
  std::string refused = {};  ///< why it has no bound, independently of the others; it still delays them
  /// If jobs may overrun and the problem is that of mode hi: the bound of its responses in mode lo.
  std::optional<Cycle> in_lo_mode = std::nullopt;
  bool dropped = false;  ///< none of its jobs begins in mode hi
};

struct BoundProblem {
  std::vector<BoundTask> tasks;
  std::vector<Supply> contexts;
  Cycle slack = 0;  ///< time that a kernel may wait for others on its way to the engine and back
};

/// A bound, or the reason why there is none.
struct ResponseBound {
  std::optional<Cycle> cycles;
  std::string why = {};
};

/// One per task. The bounds hold if kernels take no longer beside others than alone.
std::vector<ResponseBound> response_bounds(const BoundProblem& problem);

}  // namespace gputlm
