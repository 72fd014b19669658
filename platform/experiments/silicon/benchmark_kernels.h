/// Kernels of published benchmarks, as programs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/kernel/kernel.h"
#include "models/kernel/program_kernel.h"

namespace gputlm {

// The cache benchmarks gpu-cache, gpu-l2-cache and gpu-strides of gpu-benches.

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
/// Number of blocks of l2_reader() that are resident at once.
std::uint32_t l2_readers_at_once(const GpuConfig& gpu);

/// A block of 1024 threads. Each thread loads the same eight elements repeatedly and adds up products of two. Neighbouring
/// threads are `stride` elements apart, threads 64 apart load the same elements. Warp loads per iteration:
inline constexpr unsigned kStridedLoads = 8 * 32;
std::shared_ptr<Kernel> strided_reader(unsigned stride, unsigned iterations, Adds adds);

/// A kernel whose blocks run different programs: blocks before the first entry of `until` run the first program, then the
/// second, and so on; the rest run the last. Used for address rules that no pattern has.
class SplitKernel final : public Kernel {
 public:
  /// Shape and resources are those of the first program. `until`: block numbers, ascending, one fewer than programs.
  SplitKernel(const std::vector<ProgramSpec>& programs, std::vector<std::uint64_t> until);
  std::unique_ptr<BlockCode> code(std::uint64_t index) override;
  std::string source() const override;

 private:
  std::vector<std::unique_ptr<ProgramKernel>> parts_;
  std::vector<std::uint64_t> until_;
};

/// A kernel that reads memory once, as fast as possible: an unrolled grid-stride loop.
struct GridReader {
  static constexpr Bytes kLoad = 16;  ///< bytes per load of a thread

  const char* name;
  std::uint32_t grid, block;
  std::uint32_t loads;  ///< loads per iteration, in flight together
  std::uint32_t registers;

  /// Distance between two loads of a thread: the bytes that grid * block threads load.
  Bytes step() const { return Bytes{grid} * block * kLoad; }
  Bytes bytes_of_pass() const { return step() * loads; }
};

/// A thread loads 16 bytes at i, i + grid * block, ..., starting at `base`, and adds them up.
std::shared_ptr<Kernel> grid_reader(const GridReader& reader, Address base, std::uint64_t passes);

}  // namespace gputlm
