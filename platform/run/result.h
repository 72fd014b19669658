/// What a run has to tell: kernels, streams, applications and units, with the configuration it came from. The same
/// run gives the same bytes, whatever the look-ahead window, compiler, machine or date.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/policy/tally.h"
#include "models/work_distributor/engine.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/records.h"
#include "platform/run/unit_counters.h"
#include "tlm/run_state.h"

namespace gputlm {

/// One block, in core cycles.
struct BlockRecord {
  KernelId kernel = 0;
  std::uint32_t block = 0;
  SmId sm = 0;
  Cycle start = 0;
  Cycle end = 0;
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
};

/// One application, up to the end of the run: everything its blocks did, whether or not they or their kernels ended.
struct ApplicationRecord {
  BlockCounters counters;
  std::uint64_t iterations = 0;  ///< times that all its launches have ended
  Cycle first_end = kNever;      ///< when its last block ended the first time; kNever: it has not ended
};

struct RunResult {
  RunState state = RunState::kComplete;
  /// End of the last kernel; of a run that was cut, and of one that launches applications again, how far it came.
  Cycle cycles = 0;
  std::vector<KernelRecord> kernels;         ///< in the order of ids
  std::vector<UnfinishedKernel> unfinished;  ///< likewise
  std::vector<CopyRecord> copies;            ///< in the order of their ends
  std::vector<JobEnded> jobs;                ///< likewise
  std::vector<JobDropped> dropped;           ///< in order, as the next; empty where no job may overrun
  std::vector<ModeChange> mode_changes;
  std::vector<ApplicationRecord> applications;  ///< in the order of Workload::applications
  std::vector<BlockRecord> blocks;              ///< in order of their end; only if asked for
  /// Only if asked for: one a block, those of a kernel together and in order; kernels in order of their ends, then those
  /// that have not ended, in order of ids.
  std::vector<PredictionRecord> predictions;
  UnitCounters units;
  std::vector<PolicyRecord> policies;
  std::vector<SliceEnded> engine_slices;  ///< in the order of their ends; no part of result.json
  std::vector<std::string> warnings;
  std::vector<std::string> waiting;        ///< who waits for what, if the run is deadlocked
  std::size_t checked_sockets = 0;         ///< with a protocol checker; no part of result.json
  std::uint64_t checked_transactions = 0;  ///< likewise
};

/// Warp instructions that an application issued in a cycle of the run: what co-runners leave it of its IPC alone
/// (fr-rr-fcfs, section 2.2).
double ipc(const RunResult& result, ApplicationId application);

}  // namespace gputlm
