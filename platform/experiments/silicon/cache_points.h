/// Read bandwidth of a cache as a function of the size of the data that all SMs read repeatedly, as gpu-cache and
/// gpu-l2-cache of gpu-benches measure it.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/lab/run_set.h"

namespace gputlm {

/// A point of a curve.
struct CachePoint {
  std::string cache, gpu;  ///< cache: "l1" or "l2"; gpu: a preset
  unsigned kib = 0;        ///< KiB read by the block of each SM (l1), or by all blocks together (l2)

  bool is_l1() const { return cache == "l1"; }
  bool operator<(const CachePoint& other) const {
    return std::tie(cache, gpu, kib) < std::tie(other.cache, other.gpu, other.kib);
  }
};

/// How the points of a curve are measured.
struct CacheReading {
  Adds adds;
  unsigned pieces;  ///< pieces of the L2's data that a block reads (L2Reading)
  /// Sweeps of a block over the L1's data, and waves of blocks that read the L2's: those that fill the cache, then those of a
  /// short and of a long run; the difference between these two counts.
  std::vector<unsigned> sweeps, waves;

  /// A point of the L2 must be a multiple of this, one of the L1 a multiple of kL1Steps.
  Bytes l2_part() const { return kL2Piece * pieces; }
  Run run(const CachePoint& point) const;
  double gb_per_s(const CachePoint& point, const Run& run, const RunResult& result) const;
};

}  // namespace gputlm
