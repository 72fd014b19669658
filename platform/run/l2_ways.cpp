#include "platform/run/l2_ways.h"

#include <fmt/format.h>

#include <map>

#include "tlm/error.h"

namespace gputlm {

std::vector<WaySet> l2_ways_of(const GpuConfig& config, const std::vector<ApplicationSpec>& applications,
                               const std::vector<bool>& is_there) {
  std::vector<WaySet> ways(applications.size(), 0);
  unsigned next = 0;
  for (std::size_t a = 0; a < applications.size(); ++a) {
    if (!is_there[a] || !applications[a].l2_ways) continue;
    for (unsigned i = 0; i < *applications[a].l2_ways; ++i) ways[a] |= WaySet{1} << next++;
  }
  if (next == 0) return {};
  const WaySet all = config.l2.ways < kMaxWaysOfSet ? (WaySet{1} << config.l2.ways) - 1 : kAllWays;
  const WaySet left = next < kMaxWaysOfSet ? all & kAllWays << next : 0;
  for (WaySet& of : ways) {
    if (of == 0) of = left;
  }
  return ways;
}

void check_l2_ways(const GpusOfApplications& gpus, const Workload& workload) {
  std::map<std::string, unsigned> given;  // ways, by GPU
  std::map<std::string, bool> others;     // whether applications there ask for none
  for (std::size_t a = 0; a < workload.applications.size(); ++a)
    others[gpus.of(a).name] |= !workload.applications[a].l2_ways;
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    if (!application.l2_ways) continue;
    const GpuConfig& config = gpus.of(a);
    const auto refuse = [&](const std::string& allowed) {
      throw InputError(application.file, application.line,
                       fmt::format("application {}: found l2_ways {}, allowed: {}", application.name,
                                   *application.l2_ways, allowed));
    };
    if (!config.l2.enabled) refuse(fmt::format("none, as l2.enabled=false on {}", config.name));
    if (config.l2.ways > kMaxWaysOfSet)
      refuse(fmt::format("none, as {} has l2.ways={}, more than {}", config.name, config.l2.ways, kMaxWaysOfSet));
    unsigned& sum = given[config.name];
    const unsigned most = config.l2.ways - others[config.name], left = most - std::min(most, sum);
    if (*application.l2_ways > left) {
      refuse(fmt::format("{}, as {} has l2.ways={}, of which other applications have {}{}",
                         left == 0 ? "none" : fmt::format("at most {}", left), config.name, config.l2.ways, sum,
                         others[config.name] ? ", and those without l2_ways need one" : ""));
    }
    sum += *application.l2_ways;
  }
}

}  // namespace gputlm
