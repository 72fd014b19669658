/// A kernel that reads memory once, as fast as possible: an unrolled grid-stride loop.
#pragma once

#include <cstdint>
#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

struct GridReader {
  static constexpr Bytes kLoad = 16;  ///< bytes per load of a thread

  const char* name;
  std::uint32_t grid, block;
  std::uint32_t loads;  ///< per iteration, in flight together
  std::uint32_t registers;

  /// Distance between loads of a thread: those of grid * block threads.
  Bytes step() const { return Bytes{grid} * block * kLoad; }
  Bytes bytes_of_pass() const { return step() * loads; }
};

/// A thread loads 16 bytes at i, i + grid * block, ..., starting at `base`, and adds them up.
std::shared_ptr<Kernel> grid_reader(const GridReader& reader, Address base, std::uint64_t passes);

}  // namespace gputlm
