// The part of the L2 that applications set aside for persisting accesses (ApplicationSpec::persisting_l2_cache_size), and
// the access policy windows of their kernels.
#include <algorithm>
#include <set>

#include "models/host/access_policies.h"
#include "platform/run/shares.h"

namespace gputlm {
namespace {

/// Calls `f` with the application, the owner of the window, and the window, for each window of the workload.
template <class F>
void for_each_window(const Workload& workload, F f) {
  for (const StreamSpec& stream : workload.streams) {
    if (stream.access_policy_window) f(stream.application, stream, *stream.access_policy_window);
  }
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.access_policy_window)
      f(workload.streams[launch.stream].application, launch, *launch.access_policy_window);
  }
}

/// Reason why a GPU does not support a set-aside L2; empty if it does.
std::string why_none(const GpuConfig& gpu, bool has_instances) {
  if (has_instances) return fmt::format("none, since instances of {} have no set-aside L2 (as under MIG)", gpu.name);
  if (!gpu.l2.enabled) return fmt::format("none, since l2.enabled=false on {}", gpu.name);
  if (gpu.l2.persisting_share == 0)
    return fmt::format("none, since {} has l2.persisting_share=0 (GPUs from compute capability 8.0 on have some)",
                       gpu.name);
  if (gpu.l2.ways > kMaxWaysOfSet)
    return fmt::format("none, since {} has l2.ways={}, more than {}", gpu.name, gpu.l2.ways, kMaxWaysOfSet);
  return "";
}

void check_set_aside(const Sharing& s) {
  for_each_window(s.workload, [&](ApplicationId a, const auto& of, const AccessPolicyWindow&) {
    if (const std::string allowed = why_none(s.parts.gpu_of(a), s.parts.is_divided()); !allowed.empty())
      throw InputError(of.file, of.line,
                       fmt::format("{}: found access_policy_window, allowed: {}", called(of), allowed));
  });
  unsigned common_ways = s.gpu.l2.ways;  // ways for applications without l2_ways
  for (const ApplicationSpec& application : s.applications()) common_ways -= application.l2_ways.value_or(0);
  Bytes given = 0, size_in_common = 0;
  std::size_t parts = 0;
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    if (!application.persisting_l2_cache_size) continue;
    const GpuConfig& gpu = s.parts.gpu_of(a);
    const Bytes size = *application.persisting_l2_cache_size;
    const auto refuse_size = [&](const std::string& allowed) {
      refuse(application, "found persisting_l2_cache_size {}, allowed: {}", size, allowed);
    };
    if (const std::string allowed = why_none(gpu, s.parts.is_divided()); !allowed.empty()) refuse_size(allowed);
    if (++parts > SetAside::kMaxApplications)
      refuse_size(fmt::format("none, since {} applications have one", SetAside::kMaxApplications));
    const Bytes most = static_cast<Bytes>(static_cast<double>(gpu.l2.bytes) * gpu.l2.persisting_share);
    if (size > most - given) {
      refuse_size(fmt::format("at most {}, l2.persisting_share={} of the {} bytes of {}{}", most - given,
                              gpu.l2.persisting_share, gpu.l2.bytes, gpu.name,
                              given ? fmt::format("; other applications have {} of these", given) : ""));
    }
    given += size;
    const Bytes in_ways = application.l2_ways ? size : size_in_common += size;
    const unsigned ways = application.l2_ways.value_or(common_ways);
    // At least one way is left for non-persisting lines.
    const Bytes of_ways = gpu.l2.bytes / gpu.l2.ways * (ways - 1);
    if (ways < gpu.l2.ways && in_ways > of_ways) {
      refuse_size(fmt::format(
          "{}: its lines come into {} of the {} ways of the L2, and one of these is for non-persisting lines",
          of_ways > in_ways - size ? fmt::format("at most {}", of_ways - (in_ways - size)) : "none", ways,
          gpu.l2.ways));
    }
  }
}

/// Instances have no set-aside L2.
void set_up_set_aside(const Sharing& s, std::size_t /*part*/, PartShares& shares) {
  SetAsideSetup& setup = shares.set_aside;
  setup.windows = AccessPolicies(s.workload.streams, s.workload.launches).windows();
  for (std::size_t a = 0; setup.is_given() && a < s.applications().size(); ++a) {
    if (!s.applications()[a].persisting_l2_cache_size) continue;
    setup.bytes.resize(a + 1);
    setup.bytes[a] = *s.applications()[a].persisting_l2_cache_size;
  }
}

void warn_of_set_aside(const Sharing& s, std::vector<std::string>& lines) {
  std::set<ApplicationId> persisting;
  for_each_window(s.workload, [&](ApplicationId a, const auto& of, const AccessPolicyWindow& window) {
    if (window.hit_prop != AccessProperty::kPersisting) return;
    persisting.insert(a);
    if (!s.applications()[a].persisting_l2_cache_size)
      lines.push_back(called(of) +
                      ": hit_prop persisting is as normal: its application has no persisting_l2_cache_size");
  });
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    if (application.persisting_l2_cache_size && persisting.count(static_cast<ApplicationId>(a)) == 0)
      lines.push_back(called(application) +
                      ": persisting_l2_cache_size has no effect: no access_policy_window of it is persisting");
  }
}

}  // namespace

const ShareMechanism kSetAside{check_set_aside, set_up_set_aside, warn_of_set_aside};

}  // namespace gputlm
