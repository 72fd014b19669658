/// Bounds of response times: the worst case of each task, from what its kernels take alone and how often jobs come.
///
/// A kernel is a pool of blocks. Once on an SM, a block runs to its end; a kernel waits while one before it, of a more
/// urgent level or earlier of its own, has blocks left to send (models/work_distributor/leftover.cpp). So to the analysis
/// the engine is one processor whose work is kernels:
///
///   - a kernel takes no longer than alone once those before it have sent their blocks and those that run have ended: list
///     scheduling of equal blocks on equal places ends no later where places are free no later;
///   - that is so whatever SMs each may use: a kernel comes to those of its own that no kernel before it with blocks left may
///     use (models/work_distributor/in_turn.h), so when those before it have ended its own places are free, and some of them
///     were before. Kernels on other SMs count as if they were on its own, which they are not;
///   - a stream submits a kernel when the host knows the end of the one before. So no stream has more than one kernel at the
///     work distributor, and each kernel of a job is bounded by itself: what a job waits for between two of its kernels, it
///     waits for alone as well.
///
/// The bound of a kernel is the least fixed point of
///
///   w = end_of(C + B + sum over streams of its level of C_j + sum over more urgent j of most_j(w + R_j) * (C_j + n_j * P))
///
/// with C its time alone, B the longest block of a less urgent stream, C_j under the second sum the longest kernel of a stream,
/// under the third all n_j of a job, and P the longest block that a more urgent kernel may find on the SMs. end_of() is the
/// supply of the context and most_j() the arrivals (both arrival_curve.h). In words:
///
///   levels     response-time analysis, Joseph and Pandya, "Finding Response Times in a Real-Time System", The Computer
///              Journal 29(5), 1986: the fixed point; with releases that are put off by up to R_j, Audsley, Burns,
///              Richardson, Tindell and Wellings, "Applying New Scheduling Theory to Static Priority Pre-emptive
///              Scheduling", Software Engineering Journal 8(5), 1993. P is the cost of a preemption, as context switches in Burns,
///              Tindell and Wellings, "Effective Analysis for Engineering Real-Time Fixed Priority Schedulers", IEEE
///              Transactions on Software Engineering 21(5), 1995.
///   blocking   of what is not preempted: George, Rivierre and Spuri, "Preemptive and Non-Preemptive Real-Time
///              Uni-Processor Scheduling", INRIA RR-2966, 1996. Blocks of other streams run on as well when
///              a kernel comes, but those of a stream of its level are no longer than the stream's kernel, which then is
///              not ahead; and those of a more urgent job are part of that, which is counted.
///   one level  first in, first out: of each other stream one kernel at most is ahead, as of processors that queue for a
///              lock (Block, Leontyev, Brandenburg and Anderson, "A Flexible Real-Time Locking Protocol for
///              Multiprocessors", RTCSA 2007).
///
/// Where contexts take turns, one keeps its slice from one kernel of a stream to the next if the host has submitted that
/// (models/work_distributor/engine.h). So a job whose launches come together is also bounded as a whole, and the lesser of
/// the two holds:
///
///   w = end_of(alone + n * (B + sum over streams of its level of C_j) + sum over more urgent j of most_j(w + R_j) * ...)
///
/// with `alone` its response time alone, for what it spends between its kernels passes whether or not its context is on.
///
/// A job's copies wait, each on its own, for one copy of each other stream: a single copy engine serves them first in, first
/// out, and no stream has two there.
///
/// Where jobs may overrun their budgets (models/host/core_modes.cpp), there are two problems: that of mode lo, in which no job
/// does, and that of mode hi, in which each takes what it takes at most, and of a task that is dropped no job begins. It is
/// AMC-rtb (Baruah, Burns and Davis, "Response-Time Analysis for Mixed Criticality Systems", RTSS 2011, equation 8:
/// R_i = C_i(HI) + sum over hp, HI of ceil(R_i / T_j) C_j(HI) + sum over hp, LO of ceil(R_i(LO) / T_k) C_k(LO)): a job
/// whose mode changes while it is under way is no older than its bound in mode lo, R_i(LO), so a more urgent task k that
/// is dropped has most_k(min(w, R_i(LO)) + R_k(LO)) jobs in place of most_k(w + R_k): those that were released before the
/// change, or up to R_k(LO) before the kernel came. Before a kernel that is beyond its own job's budget, the mode has
/// changed: there it is most_k(R_k(LO)). Without a task that is dropped it is static mixed criticality, in the same
/// paper.
///
/// A stream serves its jobs one after the other. With S the bound of a job that finds its stream free, the q-th job of a
/// backlog ends q * S after the first came, and came distance(q) after it; the largest difference is the bound, as over the
/// instances of a busy period in Davis et al.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/bounds/arrival_curve.h"
#include "tlm/time.h"

namespace gputlm {

/// A kernel, as measured where nothing else runs; core cycles.
struct BoundKernel {
  Cycle time = 0;   ///< from its arrival at the work distributor until that has heard of its last block's end
  Cycle block = 0;  ///< the longest of its blocks, from being sent until its end is heard of; no longer than `time`
  bool beyond_budget = false;  ///< made by jobs that overrun, in mode hi only
};

/// A task: a stream that serves its jobs, one after the other.
struct BoundTask {
  std::size_t context = 0;                ///< in BoundProblem::contexts
  int level = 0;                          ///< of its stream: lower is more urgent
  std::vector<BoundKernel> kernels = {};  ///< of a job, one after the other; none takes 0 cycles
  Cycle alone = 0;                        ///< response time of a job where nothing else runs
  ArrivalCurve arrivals = ArrivalCurve::of({0}, false);
  Cycle copies_wait = 0;  ///< that the copies of a job wait at most for those of other streams, all together
  /// The launches of a job come into its stream together, with nothing between them: from the arrival of the first its
  /// context has work until the last has ended.
  bool comes_together = false;
  std::string refused = {};  ///< why it has no bound whatever the others do; it delays them all the same
  /// Where jobs may overrun, and the problem is that of mode hi: what no response exceeds in mode lo.
  std::optional<Cycle> in_lo_mode = std::nullopt;
  bool dropped = false;  ///< likewise: in mode hi none of its jobs begins
};

struct BoundProblem {
  std::vector<BoundTask> tasks;
  std::vector<Supply> contexts;
  Cycle slack = 0;  ///< that a kernel may wait on its way to the engine and back for those of others
};

/// A bound, or why there is none.
struct ResponseBound {
  std::optional<Cycle> cycles;
  std::string why = {};
};

/// Of each task. Responses are no longer, as long as kernels take no longer beside others than alone.
std::vector<ResponseBound> response_bounds(const BoundProblem& problem);

}  // namespace gputlm
