/// GPUs for tests of kernel orders, and queries of a finished run.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/unit/work_distributor/work_distributor_harness.h"

namespace gputlm::test {

inline constexpr unsigned kSms = 4;

inline WorkDistributorConfig config_of(const std::string& order) {
  WorkDistributorConfig config;
  config.kernel_order = order;
  return config;
}

/// Eight blocks of 192 threads fill an SM.
inline SmLimits sm_config() {
  SmLimits sm;
  sm.threads = 1536;
  sm.warps = 48;
  sm.blocks = 8;
  return sm;
}

/// Maximum number of blocks of a kernel on an SM at once in [from, until), as the work distributor saw it.
inline unsigned most_resident(const DistributorHarness& run, KernelId kernel, SmId sm, Cycle from, Cycle until) {
  unsigned most = 0, now = 0;
  std::vector<std::pair<Cycle, int>> changes;
  for (const Dispatch& d : run.dispatched) {
    if (d.kernel == kernel && d.sm == sm) changes.emplace_back(d.at, 1);
  }
  for (const Dispatch& d : run.heard) {
    if (d.kernel == kernel && d.sm == sm) changes.emplace_back(d.at + DistributorHarness::kHop, -1);
  }
  std::sort(changes.begin(), changes.end());
  for (const auto& [at, change] : changes) {
    now += static_cast<unsigned>(change);
    if (at >= from && at < until) most = std::max(most, now);
  }
  return most;
}

inline void expect_all_blocks_once(const DistributorHarness& run, const std::vector<const ShapeKernel*>& kernels) {
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::vector<std::uint32_t> blocks;
    for (const Dispatch& d : run.dispatched) {
      if (d.kernel == k) blocks.push_back(d.block);
    }
    std::sort(blocks.begin(), blocks.end());
    ASSERT_EQ(blocks.size(), kernels[k]->grid.x);
    for (std::uint32_t b = 0; b < blocks.size(); ++b) ASSERT_EQ(blocks[b], b);
  }
}

inline Cycle end_of(const DistributorHarness& run, KernelId kernel) {
  return std::find_if(run.ended.begin(), run.ended.end(), [=](auto& end) { return end.kernel == kernel; })->end;
}

inline Cycle first_dispatch(const DistributorHarness& run, KernelId kernel) {
  return std::find_if(run.dispatched.begin(), run.dispatched.end(), [=](auto& d) { return d.kernel == kernel; })->at;
}

inline Cycle last_dispatch(const DistributorHarness& run, KernelId kernel) {
  return std::find_if(run.dispatched.rbegin(), run.dispatched.rend(), [=](auto& d) { return d.kernel == kernel; })->at;
}

/// The owners of the SM's blocks, one letter for each change of owner: "aba".
inline std::string owners(const DistributorHarness& run, SmId sm) {
  std::string letters;
  for (const Dispatch& d : run.dispatched) {
    const char owner = static_cast<char>('a' + d.kernel);
    if (d.sm == sm && (letters.empty() || letters.back() != owner)) letters += owner;
  }
  return letters;
}

}  // namespace gputlm::test
