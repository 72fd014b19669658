/// What a run has to tell: kernels, streams, applications and units, with the configuration it came from. The same
/// run gives the same bytes, whatever the look-ahead window, compiler, machine or date.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/dram/controller_core.h"
#include "models/host/workload.h"
#include "models/l2/slice_core.h"
#include "models/noc/switch_core.h"
#include "models/sm/sm_core.h"
#include "tlm/launch.h"

namespace gputlm {

/// One block, in core cycles.
struct BlockRecord {
  KernelId kernel = 0;
  std::uint32_t block = 0;
  SmId sm = 0;
  Cycle start = 0;
  Cycle end = 0;
};

/// One kernel launch that has ended, in core cycles.
struct KernelRecord {
  KernelId id = 0;        ///< its place in Workload::launches
  Cycle released = 0;     ///< was due, whether or not its stream was free
  Cycle submitted = 0;    ///< left the host
  Cycle arrived = 0;      ///< reached the work distributor
  Cycle first_block = 0;  ///< start of its first block
  Cycle end = 0;          ///< end of its last block
  Cycle notified = 0;     ///< the host knew
  BlockCounters counters;
};

/// One kernel launch that was running when the run was ended: what its ended blocks did.
struct UnfinishedKernel {
  KernelId id = 0;
  std::uint64_t blocks_ended = 0;  ///< at least one
  Cycle first_block = 0;           ///< earliest start among them
  BlockCounters counters;
};

struct NocStatistics {
  SwitchStatistics gpc_requests, gpc_replies, crossbar_requests, crossbar_replies;
};

enum class RunState { kComplete, kInterrupted, kDeadlocked, kCycleLimit };
const char* to_string(RunState state);

struct RunResult {
  RunState state = RunState::kComplete;
  Cycle cycles = 0;                          ///< end of the last kernel, or how far the run came
  std::vector<KernelRecord> kernels;         ///< in the order of Workload::launches
  std::vector<UnfinishedKernel> unfinished;  ///< likewise; empty unless the run was ended before its time
  std::vector<BlockRecord> blocks;           ///< in order of their end; only if asked for
  std::vector<SmStatistics> sms;
  NocStatistics noc;
  std::vector<L2Statistics> slices;
  std::vector<DramStatistics> channels;
  std::vector<std::string> warnings;
  std::vector<std::string> waiting;        ///< who waits for what, if the run is deadlocked
  std::size_t checked_sockets = 0;         ///< with a protocol checker; no part of result.json
  std::uint64_t checked_transactions = 0;  ///< likewise
};

/// result.json; docs/result.md describes it.
nlohmann::ordered_json to_json(const RunResult& result, const GpuConfig& config, const Workload& workload,
                               std::uint64_t seed);

/// Sum over all channels, slices or switches.
DramStatistics sum(const std::vector<DramStatistics>& channels);
L2Statistics sum(const std::vector<L2Statistics>& slices);
SwitchStatistics& operator+=(SwitchStatistics& a, const SwitchStatistics& b);

}  // namespace gputlm
