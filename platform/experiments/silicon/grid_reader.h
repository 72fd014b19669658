/// What reads memory once, as fast as it comes: an unrolled loop over a grid's stride.
#pragma once

#include <cstdint>
#include <memory>

#include "models/kernel/kernel.h"

namespace gputlm {

struct GridReader {
  static constexpr Bytes kLoad = 16;  ///< that a thread's load reads

  const char* name;
  std::uint32_t grid, block;
  std::uint32_t loads;  ///< of a pass, under way together
  std::uint32_t registers;

  /// From one load of a thread to its next: grid * block of them.
  Bytes step() const { return Bytes{grid} * block * kLoad; }
  Bytes bytes_of_pass() const { return step() * loads; }
};

/// A thread loads 16 bytes at i, i + grid * block, ..., from `base` on, and adds them up.
std::shared_ptr<Kernel> grid_reader(const GridReader& reader, Address base, std::uint64_t passes);

}  // namespace gputlm
