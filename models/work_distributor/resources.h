/// What blocks need and SMs have, and how many blocks still fit: the occupancy test of the work distributor
/// (cuda-hierarchy, section III-C, Equation 1; most-room, section 4.2).
#pragma once

#include <algorithm>
#include <limits>

#include "models/kernel/kernel.h"
#include "models/sm_limits.h"
#include "models/work_distributor/config.h"

namespace gputlm {

/// What is free on an SM, or what a block takes of it.
struct Resources {
  unsigned threads = 0;
  unsigned warps = 0;
  unsigned blocks = 0;
  unsigned registers = 0;
  Bytes shared_memory = 0;

  Resources& operator-=(const Resources& o) {
    threads -= o.threads, warps -= o.warps, blocks -= o.blocks, registers -= o.registers;
    shared_memory -= o.shared_memory;
    return *this;
  }
  Resources& operator+=(const Resources& o) {
    threads += o.threads, warps += o.warps, blocks += o.blocks, registers += o.registers;
    shared_memory += o.shared_memory;
    return *this;
  }
};

/// More of everything than blocks can take.
inline constexpr Resources kUnlimitedResources{1u << 31, 1u << 31, 1u << 31, 1u << 31, Bytes{1} << 62};

inline Resources operator*(const Resources& one, unsigned times) {
  return {one.threads * times, one.warps * times, one.blocks * times, one.registers * times, one.shared_memory * times};
}

inline Resources capacity(const SmLimits& sm) {
  return {sm.threads, sm.warps, sm.blocks, sm.registers, sm.shared_memory};
}

/// What a block takes of an SM, and which of these resources the work distributor considers to choose an SM.
struct BlockDemand {
  Resources takes;
  bool shared_memory_decides = false;
  bool registers_decide = false;
};

/// Threads round up to whole warps (most-room, section 4.2), registers to the allocation unit of a warp, shared memory
/// to steps of 256 bytes. Up to 3 KB of shared memory and up to 32 registers a thread do not influence placement
/// (cuda-hierarchy, section III-C2).
inline BlockDemand block_demand(const Kernel& kernel, const SmLimits& sm, const WorkDistributorConfig& config) {
  const auto round_up = [](Bytes value, Bytes step) { return (value + step - 1) / step * step; };
  BlockDemand demand;
  demand.takes.threads = kernel.threads_per_block();
  demand.takes.warps = kernel.warps_per_block();
  demand.takes.blocks = 1;
  demand.takes.registers =
      demand.takes.warps *
      static_cast<unsigned>(round_up(Bytes{kernel.registers_per_thread} * kWarpSize, sm.register_granularity));
  const Bytes own = round_up(kernel.shared_memory, config.shared_memory_granularity);
  demand.takes.shared_memory = own + sm.driver_shared_memory;
  demand.shared_memory_decides = own > config.shared_memory_threshold;
  demand.registers_decide = kernel.registers_per_thread > config.registers_threshold;
  return demand;
}

/// Whether no limit is physically exceeded.
inline bool covers(const Resources& free, const Resources& needed) {
  return needed.threads <= free.threads && needed.warps <= free.warps && needed.blocks <= free.blocks &&
         needed.registers <= free.registers && needed.shared_memory <= free.shared_memory;
}
/// Whether one block fits.
inline bool fits(const BlockDemand& demand, const Resources& free) { return covers(free, demand.takes); }

/// Number of blocks that fit into `free`, by all limits: the maximum residency, if it is all of an SM.
inline unsigned residency(const BlockDemand& demand, const Resources& free) {
  const Resources& t = demand.takes;
  Bytes blocks = std::min({free.threads / t.threads, free.warps / t.warps, free.blocks / t.blocks});
  if (t.registers > 0) blocks = std::min<Bytes>(blocks, free.registers / t.registers);
  if (t.shared_memory > 0) blocks = std::min(blocks, free.shared_memory / t.shared_memory);
  return static_cast<unsigned>(blocks);
}

/// What a room() of `blocks` blocks, 1 or more, requires: the deciding resources that many times, and the others once.
inline Resources needed(const BlockDemand& demand, unsigned blocks) {
  Resources all = demand.takes * blocks;
  if (!demand.registers_decide) all.registers = demand.takes.registers;
  if (!demand.shared_memory_decides) all.shared_memory = demand.takes.shared_memory;
  return all;
}

/// Number of further blocks that the SM can hold, by the resources that decide; 0 if not even one fits.
inline unsigned room(const BlockDemand& demand, const Resources& free) {
  if (!fits(demand, free)) return 0;
  const Resources& t = demand.takes;
  unsigned blocks = std::min({free.threads / t.threads, free.warps / t.warps, free.blocks / t.blocks});
  if (demand.registers_decide) blocks = std::min(blocks, free.registers / t.registers);
  if (demand.shared_memory_decides) {
    blocks = static_cast<unsigned>(std::min<Bytes>(blocks, free.shared_memory / t.shared_memory));
  }
  return blocks;
}

}  // namespace gputlm
