// The ways of the L2 for the lines of applications (ApplicationSpec::l2_ways): the requested number for each, one after the
// other in the order of the workload. Applications without a request use the remaining ways.
#include <map>

#include "platform/run/shares.h"

namespace gputlm {
namespace {

void check_l2_ways(const Sharing& s) {
  std::map<std::string, unsigned> given;  // number of ways, by GPU
  std::map<std::string, bool> others;     // whether applications there request none
  for (std::size_t a = 0; a < s.applications().size(); ++a)
    others[s.parts.gpu_of(a).name] |= !s.applications()[a].l2_ways;
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    if (!application.l2_ways) continue;
    const GpuConfig& config = s.parts.gpu_of(a);
    const auto refuse_ways = [&](const std::string& allowed) {
      refuse(application, "found l2_ways {}, allowed: {}", *application.l2_ways, allowed);
    };
    if (!config.l2.enabled) refuse_ways(fmt::format("none, since l2.enabled=false on {}", config.name));
    if (config.l2.ways > kMaxWaysOfSet)
      refuse_ways(
          fmt::format("none, since {} has l2.ways={}, more than {}", config.name, config.l2.ways, kMaxWaysOfSet));
    unsigned& sum = given[config.name];
    const unsigned most = config.l2.ways - others[config.name], left = most - std::min(most, sum);
    if (*application.l2_ways > left) {
      refuse_ways(fmt::format("{}: {} has l2.ways={}, and other applications have {} of them{}",
                              left == 0 ? "none" : fmt::format("at most {}", left), config.name, config.l2.ways, sum,
                              others[config.name] ? ", and those without l2_ways need one" : ""));
    }
    sum += *application.l2_ways;
  }
}

void set_up_l2_ways(const Sharing& s, std::size_t part, PartShares& shares) {
  const GpuConfig& config = s.parts[part].config;
  std::vector<WaySet> ways(s.applications().size(), 0);
  unsigned next = 0;
  for (std::size_t a = 0; a < ways.size(); ++a) {
    if (s.parts.of(a) != part || !s.applications()[a].l2_ways) continue;
    for (unsigned i = 0; i < *s.applications()[a].l2_ways; ++i) ways[a] |= WaySet{1} << next++;
  }
  if (next == 0) return;
  const WaySet all = config.l2.ways < kMaxWaysOfSet ? (WaySet{1} << config.l2.ways) - 1 : kAllWays;
  const WaySet left = next < kMaxWaysOfSet ? all & kAllWays << next : 0;
  for (WaySet& of : ways) {
    if (of == 0) of = left;
  }
  shares.l2_ways = std::move(ways);
}

}  // namespace

const ShareMechanism kL2Ways{check_l2_ways, set_up_l2_ways, nullptr};

}  // namespace gputlm
