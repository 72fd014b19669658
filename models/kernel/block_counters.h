/// A block's activity on its SM, and the outcome of its accesses. The SM counts it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tlm/base/counters.h"

namespace gputlm {

/// Why a warp did not issue. In every cycle from its start to its end, a warp either issues or has one of these reasons.
enum class Stall : std::uint8_t {
  kMemory,       ///< waits for a load (scoreboard entry of an outstanding load)
  kExecution,    ///< waits for the result of a fixed-latency instruction
  kBarrier,      ///< waits for the other warps of its block
  kSpin,         ///< waits for a point in time
  kNotSelected,  ///< could issue, but another warp was chosen or the pipeline was taken
  kDrain,        ///< has exited, waits for its outstanding accesses
  kPreempted,    ///< is saved in memory, or on its way there or back
};
inline constexpr std::size_t kStallReasons = 7;
inline constexpr std::array<CounterLabel, kStallReasons> kStallLabels{
    {{"memory", "needs an outstanding load"},
     {"execution", "needs another result"},
     {"barrier", "waits for warps of its block"},
     {"spin", "waits for a point in time"},
     {"not_selected", "could issue, but another warp was chosen or the pipeline was taken"},
     {"drain", "has exited, accesses are outstanding"},
     {"preempted", "is off the SM, or on its way from there or back"}}};

/// Counters of one block; sums over blocks give those of kernels, streams and applications.
struct BlockCounters {
  std::uint64_t instructions = 0, thread_instructions = 0;
  std::array<std::uint64_t, kStallReasons> stall{};  ///< indexed by Stall
  std::uint64_t global_loads = 0, global_stores = 0, shared_accesses = 0;
  std::uint64_t shared_conflict_cycles = 0;
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0;
  std::uint64_t l2_read_hits = 0, l2_read_misses = 0;
  std::uint64_t l2_write_hits = 0, l2_write_misses = 0;
  std::uint64_t request_flits = 0, reply_flits = 0;
  std::uint64_t memory_requests = 0, memory_latency = 0;
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = BlockCounters;
    v.counter(&S::instructions, "instructions", "warp instructions", "Warp instructions issued");
    v.counter(&S::thread_instructions, "thread_instructions", "thread instructions",
              "Thread instructions issued: one per active lane");
    v.counters(&S::stall, "stall_warp_cycles", "warp cycles", "Time in which a resident warp did not issue",
               kStallLabels);
    v.counter(&S::global_loads, "memory.global_loads", "warp instructions", "Loads and atomics of global memory");
    v.counter(&S::global_stores, "memory.global_stores", "warp instructions", "Stores to global memory");
    v.counter(&S::shared_accesses, "memory.shared_accesses", "warp instructions", "Loads and stores of shared memory");
    v.counter(&S::shared_conflict_cycles, "memory.shared_conflict_cycles", "core cycles",
              "Extra time because of bank conflicts");
    v.counter(&S::memory_requests, "memory.requests", "requests", "Requests sent to the L2");
    v.counter(&S::memory_latency, "memory.latency_cycles", "core cycles",
              "Time from sending a request to its reply, summed over the requests");
    v.ratio(&S::memory_latency, &S::memory_requests, "memory.mean_latency_cycles", "core cycles",
            "Mean time from sending a request to its reply");
    v.counter(&S::l1_sector_hits, "l1.sector_hits", "sectors", "32-byte sectors of loads that were in the L1");
    v.counter(&S::l1_sector_misses, "l1.sector_misses", "sectors", "32-byte sectors of loads that were not in the L1");
    v.counter(&S::request_flits, "noc.request_flits", "flits", "Flits from SM to L2");
    v.counter(&S::reply_flits, "noc.reply_flits", "flits", "Flits from L2 to SM");
    v.counter(&S::l2_read_hits, "l2.read_hits", "requests", "Reads and atomics that hit in the L2");
    v.counter(&S::l2_read_misses, "l2.read_misses", "requests", "Reads and atomics that missed in the L2");
    v.counter(&S::l2_write_hits, "l2.write_hits", "requests", "Writes whose line was in the L2");
    v.counter(&S::l2_write_misses, "l2.write_misses", "requests", "Writes whose line was not in the L2");
    v.counter(&S::row_hits, "dram.row_hits", "requests", "Requests that waited for DRAM and found their row open");
    v.counter(&S::row_misses, "dram.row_misses", "requests", "Requests that waited for DRAM and found no row open");
    v.counter(&S::row_conflicts, "dram.row_conflicts", "requests",
              "Requests that waited for DRAM and found another row open");
  }
};

}  // namespace gputlm
