/// The identity on whose behalf a unit works. It travels with a kernel, its blocks and their memory accesses, so that
/// arbiters and statistics can tell them apart anywhere. It is copied whole; a field that is not known yet (the SM of a
/// kernel, the warp of a block) is 0.
#pragma once

#include <cstdint>

namespace gputlm {

using ApplicationId = std::uint16_t;  ///< index of the application in the workload
using StreamId = std::uint32_t;       ///< index of the stream in the workload
using KernelId = std::uint32_t;       ///< index of the kernel launch in the run, in launch order
using SmId = std::uint16_t;

struct Identity {
  ApplicationId application = 0;
  SmId sm = 0;
  std::uint16_t warp = 0;           ///< warp of the block
  std::uint16_t access_policy = 0;  ///< window of its kernel (models/l2/access_policy.h), from 1 on; 0: it has none
  StreamId stream = 0;
  KernelId kernel = 0;
  std::uint32_t block = 0;  ///< block of the kernel
};

}  // namespace gputlm
