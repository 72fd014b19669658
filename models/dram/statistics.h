/// What a DRAM channel counts. The controller (controller_core.h) counts commands and accesses, CycleAccount
/// (cycle_account.h) cycles; all cycles are those of the command clock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// Accesses, by how the first of their bursts found the bank: its row open; no row; another row.
struct DramRowOutcomes {
  std::uint64_t hits = 0, misses = 0, conflicts = 0;
};

struct DramApplicationStatistics {
  std::uint64_t reads = 0, writes = 0;  ///< bursts
  DramRowOutcomes rows;
  Cycle useful = 0;  ///< cycles in which the data bus moved its data
};

struct DramBankStatistics {
  std::uint64_t activates = 0, reads = 0, writes = 0;
};

/// What the data bus waited for, while accesses were pending. The gap before a burst is charged as a whole to the
/// constraint that let its column command go last, if that was after the access had come; to the one that let its
/// activate go, if the column command waited for that.
enum class DramWait : std::uint8_t {
  kRow,        ///< the bank: tRCD, and before it tRP, tRAS, tRC, tRTP, tWR
  kActivates,  ///< an activate held back by others: tRRD, tFAW
  kColumn,     ///< distance between column commands beyond the burst: tCCDS, tCCDL
  kTurn,       ///< turn of the data bus: tRTW, tWTR
  kRefresh,    ///< the channel was being refreshed: tRFC, and closing the banks before
  kLatency,    ///< nothing: the access found an open row and an idle channel, and its data takes tCL or tWL
  kResponses,  ///< all data had been moved, but responses could not leave
  kOpen,       ///< the gap at the end of the time looked at, whose burst is still to come
};
inline constexpr std::size_t kDramWaits = 8;
const char* name_of(DramWait wait);

struct DramStatistics {
  std::uint64_t activates = 0, precharges = 0, refreshes = 0;
  std::uint64_t reads = 0, writes = 0;                            ///< bursts
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;  ///< as DramRowOutcomes
  std::uint64_t data_cycles = 0;  ///< that the bursts take on the data bus, also those whose data is still to come
  std::uint64_t turns = 0;        ///< changes of the data bus's direction
  Cycle last_data = 0;            ///< cycle in which the last data had been moved
  std::vector<DramApplicationStatistics> applications;  ///< by ApplicationId
  std::vector<DramBankStatistics> banks;

  // fr-rr-fcfs, section 3 (Figure 4). useful + wasted + idle = cycles.
  Cycle cycles = 0;                           ///< time looked at, from cycle 0
  Cycle useful = 0;                           ///< the data bus moved data
  Cycle wasted = 0;                           ///< it did not, but accesses were pending: between intake and response
  Cycle idle = 0;                             ///< none was
  std::array<Cycle, kDramWaits> wasted_by{};  ///< [DramWait]; the sum is `wasted`
  // Bank-level parallelism = bank_cycles / any_bank_cycles: banks at work on average, while any is (Mutlu and
  // Moscibroda, "Parallelism-aware batch scheduling", ISCA 2008). A bank is at work from the first command for a
  // request to the end of its data.
  Cycle bank_cycles = 0;      ///< sum over the banks
  Cycle any_bank_cycles = 0;  ///< with at least one bank at work

  double bank_parallelism() const {
    return any_bank_cycles ? static_cast<double>(bank_cycles) / static_cast<double>(any_bank_cycles) : 0.0;
  }
};

/// Sums over channels; of `last_data` the latest.
DramStatistics& operator+=(DramStatistics& a, const DramStatistics& b);

}  // namespace gputlm
