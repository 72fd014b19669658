/// What a run has to tell: kernels, streams, applications and units, with the configuration it came from. The same
/// run gives the same bytes, whatever the look-ahead window, compiler, machine or date.
#pragma once

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "models/config.h"
#include "models/copy_engine/core.h"
#include "models/dram/controller_core.h"
#include "models/host/workload.h"
#include "models/host_link/core.h"
#include "models/host_memory/core.h"
#include "models/l2/slice_core.h"
#include "models/mmu/core.h"
#include "models/noc/switch_core.h"
#include "models/policy/tally.h"
#include "models/sm/sm_model.h"
#include "models/work_distributor/engine.h"
#include "platform/probes/prediction_tracker.h"
#include "models/kernel/launch.h"
#include "tlm/run_state.h"

namespace gputlm {

/// One block, in core cycles.
struct BlockRecord {
  KernelId kernel = 0;
  std::uint32_t block = 0;
  SmId sm = 0;
  Cycle start = 0;
  Cycle end = 0;

  template <class Record>
  static auto members(Record& record) {
    auto& [kernel, block, sm, start, end] = record;
    return std::tie(kernel, block, sm, start, end);
  }
};

/// Predictions of Pred_Cycles as multiples of what happened, over the SMs on which blocks of a kernel ended.
struct PredictionErrors {
  double least = 0, mean = 0, most = 0;

  template <class Record>
  static auto members(Record& record) {
    auto& [least, mean, most] = record;
    return std::tie(least, mean, most);
  }
};

/// How well the runtime of a kernel was predicted.
struct PredictionSummary {
  unsigned sms = 0;                ///< on which blocks of it ended
  PredictionErrors first;          ///< the first prediction on each SM
  PredictionErrors first_of_last;  ///< the first one of the last slice (srtf, figure 11: "/SS")

  template <class Record>
  static auto members(Record& record) {
    auto& [sms, first, first_of_last] = record;
    return std::tie(sms, first, first_of_last);
  }
};

/// One kernel launch that has ended, in core cycles.
struct KernelRecord {
  KernelId id = 0;              ///< unique in the run; the first time an application is launched, `command`
  std::uint32_t command = 0;    ///< its place in Workload::launches
  std::uint32_t iteration = 0;  ///< how often its application had been launched before
  Cycle released = 0;           ///< was due, whether or not its stream was free
  Cycle submitted = 0;          ///< left the host
  Cycle arrived = 0;            ///< reached the work distributor
  Cycle first_block = 0;        ///< start of its first block
  Cycle end = 0;                ///< end of its last block
  Cycle notified = 0;           ///< the host knew
  BlockCounters counters;
  std::optional<PredictionSummary> prediction;  ///< none where nobody predicted runtimes

  template <class Record>
  static auto members(Record& record) {
    auto& [id, command, iteration, released, submitted, arrived, first_block, end, notified, counters, prediction] =
        record;
    return std::tie(id, command, iteration, released, submitted, arrived, first_block, end, notified, counters,
                    prediction);
  }
};

/// One kernel launch that was under way when the run ended: what it did until then.
struct UnfinishedKernel {
  KernelId id = 0;
  std::uint32_t command = 0, iteration = 0;  ///< as above
  Cycle submitted = 0;                       ///< left the host
  std::uint64_t blocks_ended = 0;            ///< whose ends the work distributor had heard of
  std::uint64_t blocks_running = 0;          ///< others that had been sent to SMs
  Cycle first_block = kNever;                ///< earliest start of a block; kNever: none has started
  BlockCounters counters;                    ///< of ended and running blocks

  template <class Record>
  static auto members(Record& record) {
    auto& [id, command, iteration, submitted, blocks_ended, blocks_running, first_block, counters] = record;
    return std::tie(id, command, iteration, submitted, blocks_ended, blocks_running, first_block, counters);
  }
};

/// One copy or memset that has ended, in core cycles.
struct CopyRecord {
  std::uint32_t command = 0;    ///< its place in Workload::copies
  std::uint32_t iteration = 0;  ///< how often its application had been launched before
  std::uint16_t engine = 0;
  Cycle submitted = 0;  ///< left the host
  Cycle arrived = 0;    ///< reached the copy engines
  Cycle started = 0;    ///< was taken by one
  Cycle ended = 0;      ///< last byte written
  Cycle notified = 0;   ///< the host knew

  template <class Record>
  static auto members(Record& record) {
    auto& [command, iteration, engine, submitted, arrived, started, ended, notified] = record;
    return std::tie(command, iteration, engine, submitted, arrived, started, ended, notified);
  }
};

/// One job of a task that has ended, in core cycles.
struct JobRecord {
  std::uint32_t job = 0;        ///< its place in Workload::jobs
  std::uint32_t iteration = 0;  ///< how often its application had been launched before
  Cycle released = 0;           ///< was due, whether or not its thread and its stream were free
  Cycle notified = 0;           ///< the host knew of its end

  template <class Record>
  static auto members(Record& record) {
    auto& [job, iteration, released, notified] = record;
    return std::tie(job, iteration, released, notified);
  }
};

/// What moved copies, all of it.
struct CopyingStatistics {
  CopyEngineStatistics engines;
  HostLinkStatistics link;
  HostMemoryStatistics memory;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CopyingStatistics;
    v.part(&S::engines, "engines");
    v.part(&S::link, "link");
    v.part(&S::memory, "host_memory");
  }
};

/// All address translation.
struct TranslationStatistics {
  SmTlbStatistics sm_tlbs;
  MmuStatistics mmu;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.part(&TranslationStatistics::sm_tlbs, "sm_tlbs");
    v.part(&TranslationStatistics::mmu, "");
  }
};

/// One application, up to the end of the run: everything its blocks did, whether or not they or their kernels ended.
struct ApplicationRecord {
  BlockCounters counters;
  std::uint64_t iterations = 0;  ///< times that all its launches have ended
  Cycle first_end = kNever;      ///< when its last block ended the first time; kNever: it has not ended

  template <class Record>
  static auto members(Record& record) {
    auto& [counters, iterations, first_end] = record;
    return std::tie(counters, iterations, first_end);
  }
};

struct NocStatistics {
  SwitchStatistics gpc_requests, gpc_replies, crossbar_requests, crossbar_replies;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = NocStatistics;
    v.part(&S::gpc_requests, "gpc_requests");
    v.part(&S::gpc_replies, "gpc_replies");
    v.part(&S::crossbar_requests, "crossbar_requests");
    v.part(&S::crossbar_replies, "crossbar_replies");
  }
};

struct RunResult {
  RunState state = RunState::kComplete;
  /// End of the last kernel; of a run that was cut, and of one that launches applications again, how far it came.
  Cycle cycles = 0;
  std::vector<KernelRecord> kernels;            ///< in the order of ids
  std::vector<UnfinishedKernel> unfinished;     ///< likewise
  std::vector<CopyRecord> copies;               ///< in the order of their ends
  std::vector<JobRecord> jobs;                  ///< likewise
  std::vector<ApplicationRecord> applications;  ///< in the order of Workload::applications
  std::vector<BlockRecord> blocks;              ///< in order of their end; only if asked for
  /// Only if asked for: one a block, those of a kernel together and in order; kernels in order of their ends, then those
  /// that have not ended, in order of ids.
  std::vector<PredictionRecord> predictions;
  std::vector<SmStatistics> sms;
  NocStatistics noc;
  std::vector<L2Statistics> slices;
  std::vector<DramStatistics> channels;
  std::vector<PolicyRecord> policies;
  CopyingStatistics copying;
  std::vector<EngineStatistics> engine;   ///< by application; empty where all are one context
  std::vector<SliceEnded> engine_slices;  ///< in the order of their ends; no part of result.json
  TranslationStatistics translation;
  std::vector<std::string> warnings;
  std::vector<std::string> waiting;        ///< who waits for what, if the run is deadlocked
  std::size_t checked_sockets = 0;         ///< with a protocol checker; no part of result.json
  std::uint64_t checked_transactions = 0;  ///< likewise

  template <class Record>
  static auto members(Record& record) {
    auto& [state, cycles, kernels, unfinished, copies, jobs, applications, blocks, predictions, sms, noc, slices,
           channels, policies, copying, engine, engine_slices, translation, warnings, waiting, checked_sockets,
           checked_transactions] = record;
    return std::tie(state, cycles, kernels, unfinished, copies, jobs, applications, blocks, predictions, sms, noc,
                    slices, channels, policies, copying, engine, engine_slices, translation, warnings, waiting,
                    checked_sockets, checked_transactions);
  }
};

/// Whether the response time of a launch is within its deadline; none if it has no deadline.
std::optional<bool> deadline_met(const KernelRecord& kernel, const Workload& workload, const Clock& clock);
/// Warp instructions that an application issued in a cycle of the run: what co-runners leave it of its IPC alone
/// (fr-rr-fcfs, section 2.2).
double ipc(const RunResult& result, ApplicationId application);

}  // namespace gputlm
