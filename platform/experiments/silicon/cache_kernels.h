/// What measures the bandwidth of reading from the caches: gpu-cache and gpu-l2-cache of gpu-benches, as programs.
#pragma once

#include <memory>

#include "models/config.h"
#include "models/kernel/kernel.h"

namespace gputlm {

/// What adds up what was read.
enum class Adds { kDoubles, kFloats };

/// A block of 256 threads on each SM that sums the same `bytes`, a multiple of 4 KiB, `sweeps` times.
std::shared_ptr<Kernel> l1_reader(const GpuConfig& gpu, Bytes bytes, unsigned sweeps, Adds adds);

/// Blocks of 1024 threads, each of which sums `pieces` pieces of kL2Piece: of `footprint`, a multiple of that times
/// `pieces`, block b has every so-manieth from the (b mod so many)th on.
inline constexpr Bytes kL2Piece = 16384;
std::shared_ptr<Kernel> l2_reader(std::uint32_t blocks, Bytes footprint, unsigned pieces, Adds adds);
/// Of its blocks that an SM holds.
unsigned l2_readers_of_sm(const GpuConfig& gpu);

}  // namespace gputlm
