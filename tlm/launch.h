/// What travels from the host to the work distributor (a kernel launch) and from there to an SM (a block launch).
/// Each is a transaction whose response is the completion; results are filled in on the way back.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>

#include "tlm/access.h"
#include "tlm/time.h"

namespace gputlm {

/// A set of SMs, by id.
inline constexpr std::size_t kMaxSms = 256;
using SmSet = std::bitset<kMaxSms>;

class Kernel;     // models/kernel/kernel.h
class BlockCode;  // models/kernel/kernel.h

/// Why a warp did not issue. Every cycle of a resident warp is one of these or an issue.
enum class Stall : std::uint8_t {
  kMemory,       ///< waits for a load (scoreboard entry of an outstanding load)
  kExecution,    ///< waits for the result of a fixed-latency instruction
  kBarrier,      ///< waits for the other warps of its block
  kSpin,         ///< waits for a point in time
  kNotSelected,  ///< could issue, but another warp was chosen or the pipeline was taken
  kDrain,        ///< has exited, waits for its outstanding accesses
};
inline constexpr std::size_t kStallReasons = 6;

/// What one block did; sums over blocks give kernels, streams and applications.
struct BlockCounters {
  std::uint64_t instructions = 0;                                          ///< warp instructions issued
  std::uint64_t thread_instructions = 0;                                   ///< the same, counted per active lane
  std::array<std::uint64_t, kStallReasons> stall{};                        ///< warp cycles by reason
  std::uint64_t global_loads = 0, global_stores = 0, shared_accesses = 0;  ///< warp instructions
  std::uint64_t shared_conflict_cycles = 0;                                ///< extra cycles from bank conflicts
  std::uint64_t l1_sector_hits = 0, l1_sector_misses = 0;
  std::uint64_t l2_read_hits = 0, l2_read_misses = 0;    ///< requests
  std::uint64_t l2_write_hits = 0, l2_write_misses = 0;  ///< requests
  std::uint64_t request_flits = 0, reply_flits = 0;
  std::uint64_t memory_requests = 0, memory_latency = 0;  ///< requests sent to the L2, and the sum of their latencies
  std::uint64_t row_hits = 0, row_misses = 0, row_conflicts = 0;  ///< by how DRAM served the request

  BlockCounters& operator+=(const BlockCounters& other);
};

/// A thread block on its way to an SM and back.
struct BlockLaunch {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  StreamId stream = 0;
  KernelId id = 0;
  std::uint32_t command = 0;    ///< of the kernel launch
  std::uint32_t iteration = 0;  ///< likewise
  const Kernel* kernel = nullptr;
  std::uint32_t block = 0;
  std::uint8_t budget = 1;  ///< of its warps (qaws, section IV)
  std::unique_ptr<BlockCode> code;
  SmId sm = 0;
  bool first_on_sm = false;  ///< no block of this launch was sent to the SM before

  // Results, in core cycles.
  Cycle start = 0;
  Cycle end = 0;
  BlockCounters counters;
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// A kernel on its way to the work distributor and back.
struct KernelLaunch {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  StreamId stream = 0;
  KernelId id = 0;              ///< unique in the run
  std::uint32_t command = 0;    ///< place of what is launched in Workload::launches
  std::uint32_t iteration = 0;  ///< how often its application had been launched before
  int priority = 0;             ///< CUDA's convention: lower is more urgent
  std::uint8_t budget = 1;      ///< of its warps (qaws, section IV)
  SmSet sms = SmSet().set();    ///< its blocks may go there
  /// What it takes when nothing else runs, in core cycles, at least 1: of a launch that has been told. Only kernel orders
  /// that are oracles heed it (srtf, sections 6.2.1 and 6.2.2).
  std::optional<Cycle> alone_cycles;
  Kernel* kernel = nullptr;

  // Results, in core cycles.
  Cycle released = 0;   ///< was due, whether or not its stream was free
  Cycle submitted = 0;  ///< left the host
  Cycle arrived = 0;    ///< at the work distributor
  std::uint64_t blocks_ended = 0;
  Cycle first_block = 0;
  Cycle end = 0;
  BlockCounters counters;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
