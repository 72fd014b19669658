/// The result of a run: kernels, streams, applications and units, with the configuration that it came from. The same run
/// gives the same bytes for every look-ahead window, compiler, machine and date.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/policy/tally.h"
#include "models/work_distributor/engine.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/records.h"
#include "tlm/base/bytes.h"
#include "tlm/base/time.h"
#include "tlm/counter_table.h"
#include "tlm/report.h"
#include "tlm/run_state.h"

namespace gputlm {

// The counters of a GPU's units in a run: each struct that has a place in result.json (tlm/counter_table.h), whichever unit
// it belongs to.

struct UnitCounters {
  struct Entry {
    std::string table;  ///< CounterTable::name
    std::string part;   ///< part of the GPU that the unit belongs to
    std::optional<std::uint32_t> application;
    std::string bytes;  ///< the struct's bytes
  };
  std::vector<Entry> entries;  ///< in the order of the units

  /// The structs of a type, in the order of the units. Throws InputError if the type is not registered.
  template <class S>
  std::vector<S> all(std::string_view part = {}) const {
    const std::string& table = counter_table_of(typeid(S)).name;
    std::vector<S> found;
    for (const Entry& entry : entries) {
      if (entry.table == table && entry.part == part) found.push_back(from_bytes<S>(table, entry.bytes));
    }
    return found;
  }
  /// Sums over the units by application; empty if the type does not count by application.
  template <class S>
  std::vector<S> by_application() const {
    const std::string& table = counter_table_of(typeid(S)).name;
    std::vector<S> sums;
    for (const Entry& entry : entries) {
      if (entry.table != table || !entry.application) continue;
      if (sums.size() <= *entry.application) sums.resize(*entry.application + 1);
      sums[*entry.application] += from_bytes<S>(table, entry.bytes);
    }
    return sums;
  }
  template <class S>
  S total(std::string_view part = {}) const {
    return sum(all<S>(part));
  }
};

UnitCounters unit_counters(const Report& report);

/// Puts the counters into the result; those by application go into its `applications`.
void place_counters(nlohmann::ordered_json& result, const UnitCounters& units);

/// One block, in core cycles.
struct BlockRecord {
  KernelId kernel = 0;
  std::uint32_t block = 0;
  SmId sm = 0;
  Cycle start = 0;
  Cycle end = 0;
};

/// A kernel launch that was active when the run ended, and its progress until then.
struct UnfinishedKernel {
  KernelId id = 0;
  std::uint32_t command = 0, iteration = 0;  ///< as in KernelRecord
  Cycle submitted = 0;                       ///< cycle at which it left the host
  std::uint64_t blocks_ended = 0;            ///< blocks whose end has reached the work distributor
  std::uint64_t blocks_running = 0;          ///< other blocks that have been sent to SMs
  Cycle first_block = kNever;                ///< earliest start of a block; kNever: none started
  BlockCounters counters;                    ///< counters of blocks that have ended or are running
};

/// An application up to the end of the run. Includes blocks and kernels that have not ended.
struct ApplicationRecord {
  BlockCounters counters;
  std::uint64_t iterations = 0;  ///< number of times that all its launches have ended
  Cycle first_end = kNever;      ///< first end of its last block; kNever: it has not ended
};

struct RunResult {
  RunState state = RunState::kComplete;
  /// End of the last kernel. For a run that was cut or that relaunches applications: the last cycle of the run.
  Cycle cycles = 0;
  std::vector<KernelRecord> kernels;         ///< in the order of ids
  std::vector<UnfinishedKernel> unfinished;  ///< in the order of ids
  std::vector<CopyRecord> copies;            ///< in the order of their ends
  std::vector<JobEnded> jobs;                ///< in the order of their ends
  std::vector<JobDropped> dropped;           ///< in the order of time, as are mode_changes; empty if no job can overrun
  std::vector<ModeChange> mode_changes;
  std::vector<ApplicationRecord> applications;  ///< in the order of Workload::applications
  std::vector<BlockRecord> blocks;              ///< in the order of their ends; only on request
  /// Only on request: one per block. Those of a kernel are together and in order; ended kernels come first, by their ends,
  /// then the others, by id.
  std::vector<PredictionRecord> predictions;
  UnitCounters units;
  std::vector<PolicyRecord> policies;
  std::vector<SliceEnded> engine_slices;  ///< in the order of their ends; not part of result.json
  std::vector<std::string> warnings;
  std::vector<std::string> waiting;        ///< if the run is deadlocked: which unit waits for what
  std::size_t checked_sockets = 0;         ///< number of sockets with a protocol checker; not part of result.json
  std::uint64_t checked_transactions = 0;  ///< not part of result.json either
};

/// Warp instructions that an application issued per cycle of the run: the IPC that its co-runners leave it (fr-rr-fcfs,
/// section 2.2).
double ipc(const RunResult& result, ApplicationId application);

/// Converts a result to bytes and back, to pass it from a process of its own and to keep finished runs. The same result gives
/// the same bytes. tlm/base/bytes.h says what the bytes are not meant for.
std::string to_bytes(const RunResult& result);
/// Throws std::runtime_error if the bytes are not such a result.
RunResult result_from_bytes(std::string_view bytes);

}  // namespace gputlm
