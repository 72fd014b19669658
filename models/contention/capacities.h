/// What a GPU has to share, and how its memory answers under load. Plain values: of the model with SMs that run warps, by
/// measurement (platform/lab/memory_measurement.h) where a load decides, else by the configuration.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/kernel/instruction.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Latency of a stage of the memory by its load. The last load is its capacity: more never passes.
struct LatencyCurve {
  struct Point {
    std::uint64_t load = 0;  ///< sectors in 1000 core cycles
    Cycle latency = 0;       ///< core cycles
  };
  std::vector<Point> points;  ///< ascending in both; at least two
};

/// What the SMs have together beyond themselves.
struct MemoryCapacities {
  LatencyCurve port;  ///< by the load of one SM's port: of a request that hits the L2, from the SM and back
  LatencyCurve l2;    ///< by the load of all: what it takes longer because of the others
  LatencyCurve dram;  ///< by the load of all: what a request takes longer that misses
  /// Sectors in 1000 core cycles that DRAM moves where half of them, and where all of them, are written.
  std::uint64_t mixed = 0, written = 0;
  /// Time that a warp waits for its turn after it has waited for a load, by the number of warps of its sub-core that can
  /// always issue (`load`). Ascending in `load` only; none: it does not wait.
  std::vector<LatencyCurve::Point> turns;
};

/// What an SM has.
struct SmCapacities {
  double sub_cores = 4;
  double issue = 4;  ///< warp instructions in a cycle
  std::array<double, kPipes> pipe{};
  double l1_sectors = 4;         ///< in a cycle: a line of 128 bytes
  double shared_wavefronts = 1;  ///< in a cycle; with `one_array` the L1 and shared memory use the same cycles
  bool one_array = true;
  double misses = 256;  ///< lines that an L1 waits for at once
};

}  // namespace gputlm
