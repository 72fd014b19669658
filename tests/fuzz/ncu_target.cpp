#include <cmath>

#include "platform/programs/kernel_profile.h"
#include "tests/fuzz/target.h"

namespace gputlm::fuzz {
namespace {

/// Each launch has a name, and counts that a workload file may have.
void attack_ncu(const std::string& text) {
  const KernelProfile profile = parse_profile(text, kName);
  require(!profile.launches.empty(), "a profile without launches");
  for (const ProfiledLaunch& launch : profile.launches) {
    require(!launch.name.empty() && launch.launches > 0, "a launch of nothing");
    require(!launch.grid || launch.blocks == launch.grid->count(), "a grid of another number of blocks");
    for_each_count([&](const char*, auto of) {
      const auto& count = of(launch.demand);
      require(!count || (std::isfinite(*count) && *count >= 0 && *count <= 1e18), "a count that cannot be");
    });
    for (const auto& share : {launch.demand.l1_hit_rate, launch.demand.l2_hit_rate, launch.demand.warps_active})
      require(share.value_or(0) <= 1, "a share above 1");
    require(launch.demand.sm_mhz.value_or(1) >= 1, "no clock");
  }
}

const Registration of_ncu{{"ncu", Grammar::kLines, attack_ncu}};

}  // namespace
}  // namespace gputlm::fuzz
