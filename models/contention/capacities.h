/// What a GPU has to share, and how its memory answers under load. Plain values: of the model with SMs that run warps, by
/// measurement (platform/lab/memory_measurement.h) where a load decides, else by the configuration.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/kernel/instruction.h"
#include "tlm/time.h"

namespace gputlm {

/// Latency of a stage of the memory by the load of it, of the whole GPU. The last load is its capacity: more never passes.
struct LatencyCurve {
  struct Point {
    std::uint64_t load = 0;  ///< sectors in 1000 core cycles
    Cycle latency = 0;       ///< of a request, core cycles
  };
  std::vector<Point> points;  ///< ascending in both; at least two
};

/// What the SMs have together beyond themselves.
struct MemoryCapacities {
  LatencyCurve l2;    ///< of requests that hit it, from the SM and back
  LatencyCurve dram;  ///< what a read takes longer that misses
  /// Sectors in 1000 core cycles that DRAM moves where half of them, and where all of them, are written.
  std::uint64_t mixed = 0, written = 0;
  std::uint64_t sm_port = 0;  ///< sectors in 1000 cycles that one SM reads
};

/// What an SM has.
struct SmCapacities {
  double issue = 4;  ///< warp instructions in a cycle
  std::array<double, kPipes> pipe{};
  double l1_sectors = 4;         ///< in a cycle
  double shared_wavefronts = 1;  ///< likewise; with `one_array` of the same cycles
  bool one_array = true;
};

}  // namespace gputlm
