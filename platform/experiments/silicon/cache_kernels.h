/// What measures the caches: gpu-cache, gpu-l2-cache and gpu-strides of gpu-benches, as programs.
#pragma once

#include <memory>

#include "models/config.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// What adds up what was read.
enum class Adds { kDoubles, kFloats };

/// A block of 256 threads on each SM that sums the same `bytes`, a multiple of kL1Steps, `sweeps` times.
inline constexpr Bytes kL1Steps = 4096;
std::shared_ptr<Kernel> l1_reader(const GpuConfig& gpu, Bytes bytes, unsigned sweeps, Adds adds);

/// What blocks of 1024 threads sum: `pieces` of kL2Piece of `footprint`, a multiple of both. Of so many parts that the
/// footprint has, block b has in each piece the (b mod so many)th.
inline constexpr Bytes kL2Piece = 16384;
struct L2Reading {
  Bytes footprint;
  unsigned pieces = 32;

  std::uint32_t different_blocks() const { return static_cast<std::uint32_t>(footprint / (pieces * kL2Piece)); }
  Bytes bytes_of_block() const { return pieces * kL2Piece; }
};
std::shared_ptr<Kernel> l2_reader(std::uint32_t blocks, const L2Reading& reading, Adds adds);
/// Of its blocks that are on the GPU at once.
std::uint32_t l2_readers_at_once(const GpuConfig& gpu);

/// A block of 1024 threads, of which each loads eight elements again and again, always the same ones, and adds up products
/// of two: neighbouring threads `stride` elements apart, threads 64 apart the same ones. So many loads of warps an iteration:
inline constexpr unsigned kStridedLoads = 8 * 32;
std::shared_ptr<Kernel> strided_reader(unsigned stride, unsigned iterations, Adds adds);

}  // namespace gputlm
