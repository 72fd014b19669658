/// The counters of a DRAM channel. The controller (controller_core.h) counts commands and accesses, CycleAccount
/// (cycle_account.h) counts cycles; all cycles are of the command clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/base/counters.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Accesses, by how the first of their bursts found the bank.
struct DramRowOutcomes {
  std::uint64_t hits = 0, misses = 0, conflicts = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = DramRowOutcomes;
    v.counter(&S::hits, "row_hits", "accesses", "Accesses whose first burst found its row open");
    v.counter(&S::misses, "row_misses", "accesses", "Accesses whose first burst found no row open");
    v.counter(&S::conflicts, "row_conflicts", "accesses", "Accesses whose first burst found another row open");
  }
};

struct DramApplicationStatistics {
  std::uint64_t reads = 0, writes = 0;
  DramRowOutcomes rows;
  Cycle useful = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = DramApplicationStatistics;
    v.counter(&S::reads, "reads", "bursts", "Bursts read for the application");
    v.counter(&S::writes, "writes", "bursts",
              "Bursts written for the application; a write-back counts for the last writer of the line");
    v.counter(&S::useful, "useful_cycles", "command cycles", "Time in which the data bus moved the application's data");
    v.part(&S::rows, "");
  }
};

struct DramBankStatistics {
  std::uint64_t activates = 0, reads = 0, writes = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = DramBankStatistics;
    v.counter(&S::activates, "activates", "commands", "Activates of the bank");
    v.counter(&S::reads, "reads", "bursts", "Bursts read from the bank");
    v.counter(&S::writes, "writes", "bursts", "Bursts written to the bank");
  }
};

/// What the data bus waited for while accesses were pending. The whole gap before a burst is charged to the last constraint
/// on its column command, if that ended after the access arrived; or to the last constraint on its activate, if the column
/// command waited for that.
enum class DramWait : std::uint8_t {
  kRow,        ///< the bank: tRCD, and before it tRP, tRAS, tRC, tRTP, tWR
  kActivates,  ///< an activate held back by others: tRRD, tFAW
  kColumn,     ///< distance between column commands beyond the burst: tCCDS, tCCDL
  kTurn,       ///< turn of the data bus: tRTW, tWTR
  kRefresh,    ///< the channel was being refreshed: tRFC, and closing the banks before
  kLatency,    ///< none: the access found an open row and an idle channel, and its data takes tCL or tWL
  kResponses,  ///< all data had been moved, but responses could not leave
  kOpen,       ///< the gap at the end of the counted time, before a burst still to come
};
inline constexpr std::size_t kDramWaits = 8;
inline constexpr std::array<CounterLabel, kDramWaits> kDramWaitLabels{
    {{"row", "tRCD, tRP, tRAS, tRC, tRTP, tWR of the bank"},
     {"activates", "tRRD, tFAW"},
     {"column", "tCCD beyond the burst"},
     {"turn", "tRTW, tWTR"},
     {"refresh", "the channel was being refreshed"},
     {"latency", "tCL or tWL of a row hit on an idle channel"},
     {"responses", "all data had been moved, but responses could not leave"},
     {"open", "the gap when the run ended, whose burst was still to come"}}};
constexpr const char* name_of(DramWait wait) { return kDramWaitLabels[static_cast<std::size_t>(wait)].name; }

struct DramStatistics {
  std::uint64_t activates = 0, precharges = 0, refreshes = 0;
  std::uint64_t reads = 0, writes = 0;
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;
  std::uint64_t data_cycles = 0;
  std::uint64_t turns = 0;
  Cycle last_data = 0;
  std::vector<DramApplicationStatistics> applications;  ///< indexed by ApplicationId
  std::vector<DramBankStatistics> banks;

  // fr-rr-fcfs, section 3 (Figure 4). useful + wasted + idle = cycles.
  Cycle cycles = 0, useful = 0, wasted = 0, idle = 0;
  std::array<Cycle, kDramWaits> wasted_by{};  ///< indexed by DramWait; the sum is `wasted`
  // Bank-level parallelism = bank_cycles / any_bank_cycles: banks at work on average, while any is (Mutlu and
  // Moscibroda, "Parallelism-aware batch scheduling", ISCA 2008). A bank is at work from the first command for a
  // request to the end of its data.
  Cycle bank_cycles = 0, any_bank_cycles = 0;

  double bank_parallelism() const {
    return any_bank_cycles ? static_cast<double>(bank_cycles) / static_cast<double>(any_bank_cycles) : 0.0;
  }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = DramStatistics;
    v.counter(&S::activates, "activates", "commands", "Activates");
    v.counter(&S::precharges, "precharges", "commands", "Precharges");
    v.counter(&S::refreshes, "refreshes", "commands", "Refreshes");
    v.counter(&S::reads, "reads", "bursts", "Bursts read");
    v.counter(&S::writes, "writes", "bursts", "Bursts written");
    v.counter(&S::row_hits, "row_hits", "accesses", "Accesses whose first burst found its row open");
    v.counter(&S::row_misses, "row_misses", "accesses", "Accesses whose first burst found no row open");
    v.counter(&S::row_conflicts, "row_conflicts", "accesses", "Accesses whose first burst found another row open");
    v.counter(&S::data_cycles, "data_cycles", "command cycles",
              "Time that the bursts take on the data bus, including those whose data is still to come");
    v.counter(&S::turns, "bus_turns", "turns", "Changes of the data bus's direction");
    v.latest(&S::last_data, "last_data_cycle", "command cycle",
             "Cycle in which the last data had been moved; the latest of several channels");
    v.counter(&S::bank_cycles, "bank_cycles", "command cycles", "Time with a bank at work, summed over the banks");
    v.counter(&S::any_bank_cycles, "any_bank_cycles", "command cycles", "Time with at least one bank at work");
    v.ratio(&S::bank_cycles, &S::any_bank_cycles, "bank_parallelism", "banks",
            "Mean number of banks at work while any is");
    v.counter(&S::cycles, "cycles.total", "command cycles", "Time from cycle 0 on: useful, wasted and idle");
    v.counter(&S::useful, "cycles.useful", "command cycles", "Time in which data moved");
    v.counter(&S::wasted, "cycles.wasted", "command cycles",
              "Time in which no data moved, but accesses were pending, between intake and response");
    v.counter(&S::idle, "cycles.idle", "command cycles", "Time in which no access was pending");
    v.counters(&S::wasted_by, "cycles.wasted_by", "command cycles", "Wasted time, by what the next burst waited for",
               kDramWaitLabels);
    v.parts(&S::applications, "applications");
    v.parts(&S::banks, "banks");
  }
};

}  // namespace gputlm
