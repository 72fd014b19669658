/// The capacities that kernels on a GPU share, and the latency of its memory under load. Plain values of the model whose SMs
/// run warps: measured (platform/lab/memory_measurement.h) if the load matters, otherwise from the configuration.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/kernel/instruction.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Latency of a stage of the memory as a function of its load. The last load is its capacity: it never passes more.
struct LatencyCurve {
  struct Point {
    std::uint64_t load = 0;  ///< sectors per 1000 core cycles
    Cycle latency = 0;       ///< in core cycles
  };
  std::vector<Point> points;  ///< points, at least two, ascending in load and latency
};

/// What the SMs share outside themselves. Latencies are in core cycles.
struct MemoryCapacities {
  LatencyCurve port;  ///< round trip of a request that hits the L2, by the load of its SM's port
  LatencyCurve l2;    ///< additional latency because of other SMs, by the load of all SMs
  LatencyCurve dram;  ///< additional latency of a request that misses the L2, by the load of all SMs
  /// Sectors per 1000 core cycles that DRAM moves if half of them are written, and if all of them are.
  std::uint64_t mixed = 0, written = 0;
  /// Core cycles that a warp waits for its turn after it has waited for a load, by the number of warps of its sub-core that can
  /// always issue (`load`). Ascending in `load` only; empty: it does not wait.
  std::vector<LatencyCurve::Point> turns;
};

/// Capacities of an SM.
struct SmCapacities {
  double sub_cores = 4;
  double issue = 4;  ///< warp instructions per cycle
  std::array<double, kPipes> pipe{};
  double l1_sectors = 4;         ///< sectors per cycle: a line of 128 bytes
  double shared_wavefronts = 1;  ///< wavefronts per cycle; with `one_array` L1 and shared memory share the cycles
  bool one_array = true;
  double misses = 256;  ///< maximum number of lines that an L1 waits for at once
};

}  // namespace gputlm
