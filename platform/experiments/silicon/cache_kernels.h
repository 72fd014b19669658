/// The cache benchmarks gpu-cache, gpu-l2-cache and gpu-strides of gpu-benches, as programs.
#pragma once

#include <memory>

#include "models/config.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// The type in which values are added up.
enum class Adds { kDoubles, kFloats };

/// A block of 256 threads per SM that sums the same `bytes`, a multiple of kL1Steps, `sweeps` times.
inline constexpr Bytes kL1Steps = 4096;
std::shared_ptr<Kernel> l1_reader(const GpuConfig& gpu, Bytes bytes, unsigned sweeps, Adds adds);

/// Blocks of 1024 threads sum `pieces` of kL2Piece out of `footprint`, a multiple of both. If the footprint has n parts,
/// block b sums part b mod n of each piece.
inline constexpr Bytes kL2Piece = 16384;
struct L2Reading {
  Bytes footprint;
  unsigned pieces = 32;

  std::uint32_t different_blocks() const { return static_cast<std::uint32_t>(footprint / (pieces * kL2Piece)); }
  Bytes bytes_of_block() const { return pieces * kL2Piece; }
};
std::shared_ptr<Kernel> l2_reader(std::uint32_t blocks, const L2Reading& reading, Adds adds);
/// Number of its blocks that are resident at once.
std::uint32_t l2_readers_at_once(const GpuConfig& gpu);

/// A block of 1024 threads. Each thread loads the same eight elements repeatedly and adds up products of two. Neighbouring
/// threads are `stride` elements apart, threads 64 apart load the same elements. Warp loads per iteration:
inline constexpr unsigned kStridedLoads = 8 * 32;
std::shared_ptr<Kernel> strided_reader(unsigned stride, unsigned iterations, Adds adds);

}  // namespace gputlm
