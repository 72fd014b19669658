/// The GPCs of a GPU, as far as clusters of blocks are concerned: how many clusters of a kernel fit there.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/kernel/launch.h"

namespace gputlm {

/// The SMs of each GPC, which have consecutive numbers.
inline std::vector<SmSet> gpc_sets(const std::vector<unsigned>& sms_of_gpcs) {
  std::vector<SmSet> all;
  unsigned sm = 0;
  for (const unsigned count : sms_of_gpcs) {
    SmSet& sms = all.emplace_back();
    for (const unsigned end = sm + count; sm < end; ++sm) sms.set(sm);
  }
  return all;
}

/// Number of clusters of `cluster` blocks that `sms` hold at once, with `residency` blocks on each SM (CUDA Runtime API,
/// cudaOccupancyMaxActiveClusters).
inline std::uint64_t resident_clusters(unsigned cluster, unsigned residency, const std::vector<SmSet>& gpcs,
                                       const SmSet& sms) {
  std::uint64_t clusters = 0;
  for (const SmSet& gpc : gpcs) clusters += (gpc & sms).count() * residency / cluster;
  return clusters;
}

/// Number of blocks that an SM must hold so that a GPC has room for a cluster, if the blocks are spread over the GPC that has
/// the most of `sms`. There is one.
inline unsigned least_residency(unsigned cluster, const std::vector<SmSet>& gpcs, const SmSet& sms) {
  std::size_t most = 1;
  for (const SmSet& gpc : gpcs) most = std::max(most, (gpc & sms).count());
  return static_cast<unsigned>((cluster + most - 1) / most);
}

}  // namespace gputlm
