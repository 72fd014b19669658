/// What a run has to tell: kernels, streams, applications and units, with the configuration it came from. The same
/// run gives the same bytes, whatever the look-ahead window, compiler, machine or date.
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
#include "tlm/bytes.h"
#include "tlm/counter_table.h"
#include "tlm/report.h"
#include "tlm/run_state.h"
#include "tlm/time.h"

namespace gputlm {

// What the units of a GPU have counted in a run: of every struct that has a place in result.json (tlm/counter_table.h),
// whatever unit it is of.

struct UnitCounters {
  struct Entry {
    std::string table;  ///< CounterTable::name
    std::string part;   ///< of the unit
    std::optional<std::uint32_t> application;
    std::string bytes;  ///< the struct
  };
  std::vector<Entry> entries;  ///< in the order of the units

  /// The structs of a type, in that order. Throws InputError if it is not registered.
  template <class S>
  std::vector<S> all(std::string_view part = {}) const {
    const std::string& table = counter_table_of(typeid(S)).name;
    std::vector<S> found;
    for (const Entry& entry : entries) {
      if (entry.table == table && entry.part == part) found.push_back(from_bytes<S>(table, entry.bytes));
    }
    return found;
  }
  /// By application, what several units have counted of one added up; empty if none counts by application.
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

/// Puts them into the result, in whose `applications` those by application go.
void place_counters(nlohmann::ordered_json& result, const UnitCounters& units);

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

/// All of a result as bytes and back: what a run in a process of its own hands to the one that wanted it, and what is kept of
/// finished runs. The same result gives the same bytes. See tlm/bytes.h for what they are not.
std::string to_bytes(const RunResult& result);
/// Throws std::runtime_error if the bytes are not those of such a result.
RunResult result_from_bytes(std::string_view bytes);

}  // namespace gputlm
