#include "platform/run/set_aside.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "tlm/error.h"

namespace gputlm {
namespace {

/// Calls `f` with the application, and with what names the window and its place, of each window of the workload.
template <class F>
void for_each_window(const Workload& workload, F f) {
  for (const StreamSpec& stream : workload.streams) {
    if (stream.access_policy_window)
      f(stream.application, "stream " + stream.name, stream, *stream.access_policy_window);
  }
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.access_policy_window)
      f(workload.streams[launch.stream].application, "launch " + launch.label, launch, *launch.access_policy_window);
  }
}

/// Why a GPU takes none; empty: it does.
std::string why_none(const GpuConfig& gpu, bool has_instances) {
  if (has_instances) return fmt::format("none, as instances of {} have no set-aside L2 (as under MIG)", gpu.name);
  if (!gpu.l2.enabled) return fmt::format("none, as l2.enabled=false on {}", gpu.name);
  if (gpu.l2.persisting_share == 0)
    return fmt::format("none, as {} has l2.persisting_share=0 (GPUs from compute capability 8.0 on have some)",
                       gpu.name);
  if (gpu.l2.ways > kMaxWaysOfSet)
    return fmt::format("none, as {} has l2.ways={}, more than {}", gpu.name, gpu.l2.ways, kMaxWaysOfSet);
  return "";
}

}  // namespace

SetAsideSetup set_aside_of(const std::vector<ApplicationSpec>& applications, std::vector<AccessPolicyWindow> windows) {
  SetAsideSetup setup;
  setup.windows = std::move(windows);
  for (std::size_t a = 0; setup.is_given() && a < applications.size(); ++a) {
    if (!applications[a].persisting_l2_cache_size) continue;
    setup.bytes.resize(a + 1);
    setup.bytes[a] = *applications[a].persisting_l2_cache_size;
  }
  return setup;
}

Bytes most_set_aside(const GpuConfig& config) {
  return static_cast<Bytes>(static_cast<double>(config.l2.bytes) * config.l2.persisting_share);
}

void check_set_aside(const GpuConfig& config, const GpusOfApplications& gpus, const Workload& workload) {
  const bool has_instances = !instances_of(config, workload).empty();
  for_each_window(workload, [&](ApplicationId a, const std::string& what, const auto& of, const AccessPolicyWindow&) {
    if (const std::string allowed = why_none(gpus.of(a), has_instances); !allowed.empty())
      throw InputError(of.file, of.line, fmt::format("{}: found access_policy_window, allowed: {}", what, allowed));
  });
  unsigned common_ways = config.l2.ways;  // of those without l2_ways
  for (const ApplicationSpec& application : workload.applications) common_ways -= application.l2_ways.value_or(0);
  Bytes given = 0, size_in_own = 0, size_in_common = 0;
  std::size_t parts = 0;
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    if (!application.persisting_l2_cache_size) continue;
    const GpuConfig& gpu = gpus.of(a);
    const Bytes size = *application.persisting_l2_cache_size;
    const auto refuse = [&](const std::string& allowed) {
      throw InputError(application.file, application.line,
                       fmt::format("application {}: found persisting_l2_cache_size {}, allowed: {}", application.name,
                                   size, allowed));
    };
    if (const std::string allowed = why_none(gpu, has_instances); !allowed.empty()) refuse(allowed);
    if (++parts > SetAside::kMaxApplications)
      refuse(fmt::format("none, as {} applications have one", SetAside::kMaxApplications));
    const Bytes most = most_set_aside(gpu);
    if (size > most - given) {
      refuse(fmt::format("at most {}, l2.persisting_share={} of the {} bytes of {}{}", most - given,
                         gpu.l2.persisting_share, gpu.l2.bytes, gpu.name,
                         given ? fmt::format(", of which other applications have {}", given) : ""));
    }
    given += size;
    Bytes& in_ways = application.l2_ways ? size_in_own = size : size_in_common += size;
    const unsigned ways = application.l2_ways.value_or(common_ways);
    // One way at least is for what is not persisting.
    const Bytes of_ways = gpu.l2.bytes / gpu.l2.ways * (ways - 1);
    if (ways < gpu.l2.ways && in_ways > of_ways) {
      refuse(
          fmt::format("{}, as of the {} of {} ways of the L2 that its lines come into one is for what is not "
                      "persisting",
                      of_ways > in_ways - size ? fmt::format("at most {}", of_ways - (in_ways - size)) : "none", ways,
                      gpu.l2.ways));
    }
  }
}

void tell_idle_set_aside(const Workload& workload, std::vector<std::string>& lines) {
  std::set<ApplicationId> persisting;
  for_each_window(
      workload, [&](ApplicationId a, const std::string& what, const auto&, const AccessPolicyWindow& window) {
        if (window.hit_prop != AccessProperty::kPersisting) return;
        persisting.insert(a);
        if (!workload.applications[a].persisting_l2_cache_size)
          lines.push_back(what + ": hit_prop persisting is as normal: its application has no persisting_l2_cache_size");
      });
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    if (application.persisting_l2_cache_size && persisting.count(static_cast<ApplicationId>(a)) == 0)
      lines.push_back("application " + application.name +
                      ": persisting_l2_cache_size has no effect: no access_policy_window of it is persisting");
  }
}

}  // namespace gputlm
