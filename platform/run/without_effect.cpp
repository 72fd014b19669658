#include "platform/run/without_effect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "models/sm/sm_model.h"
#include "models/sm/warp_scheduler.h"
#include "models/work_distributor/application.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/sm_share.h"
#include "platform/input/sm_set.h"
#include "platform/run/instances.h"
#include "platform/run/set_aside.h"

namespace gputlm {
namespace {

/// "; X, Y do", or nothing if no policy heeds it.
std::string that_do(const DecisionInfo& decision, Property heeds) {
  const auto policies = decision.policies_with(heeds);
  std::string names;
  for (const PolicyInfo* const policy : policies) names += (names.empty() ? "" : ", ") + policy->name;
  return names.empty() ? "" : "; " + names + (policies.size() == 1 ? " does" : " do");
}

/// Whether not all of `list` have the same `value`.
template <class List, class Member>
bool differ(const List& list, Member value) {
  return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.*value != list.front().*value; });
}

/// A driver that rounds does so in silence.
void tell_rounded_shares(const GpuConfig& config, const Workload& workload, std::vector<std::string>& lines) {
  const auto granularity = read_options<SmGranularity>(config.work_distributor.options, "partitioned");
  const GpusOfApplications gpus(config, workload);
  std::vector<std::vector<std::optional<SmShare>>> shares;
  for (std::size_t g = 0; g < gpus.size(); ++g)
    shares.push_back(sm_shares(gpus.shares_on(g, workload), gpus.gpu(g).sms, granularity));
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    const GpuConfig& gpu = gpus.of(a);
    const auto& share = shares[gpus.place_of(a)][a];
    if (!share || !share->rounded()) continue;
    const bool green = application.share.green_context_sms.has_value();
    const std::string rule =
        green ? fmt::format("at least {}, in multiples of {} (work_distributor.partitioned.green_*)",
                            granularity.green_least, granularity.green_step)
              : fmt::format("whole TPCs of {} (work_distributor.partitioned.tpc_sms)", granularity.tpc_sms);
    lines.push_back(
        fmt::format("application {}: {} {} is {} of the {} SMs of {}; as a driver, the run rounds it up to {}: {}",
                    application.name, green ? "green_context_sms" : "active_thread_percentage",
                    green ? *application.share.green_context_sms : *application.share.active_thread_percentage,
                    share->asked / 100.0, gpu.sms, gpu.name, share->given, rule));
  }
}

/// Limits of MPS reserve nothing, and shares of more than 100 % begin again at SM 0.
void tell_shared_sms(const GpuConfig& config, const Workload& workload, std::vector<std::string>& lines) {
  constexpr std::size_t kMostTold = 5;
  const GpusOfApplications gpus(config, workload);
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const GpuConfig& gpu = gpus.gpu(g);
    const ApplicationSetup setup{gpus.shares_on(g, workload), gpu.sms, gpu.sm.threads, Clock::from_mhz(gpu.core_mhz),
                                 gpu.work_distributor.options};
    const auto shares =
        sm_shares(setup.shares, gpu.sms, read_options<SmGranularity>(gpu.work_distributor.options, "partitioned"));
    const auto policy = make_application_policy(gpu.work_distributor.application, setup);
    struct Confined {
      const std::string* name;
      SmSet sms;
      bool by_share;  // else by `sms`, which its user knows
    };
    std::vector<Confined> confined;
    for (std::size_t a = 0; a < shares.size(); ++a) {
      const ApplicationSpec& application = workload.applications[a];
      if (gpus.place_of(a) != g || (!shares[a] && !application.sms)) continue;
      const SmSet sms = policy->limits(static_cast<ApplicationId>(a)).sms & all_sms(gpu.sms);
      confined.push_back({&application.name, application.sms ? sms & *application.sms : sms, shares[a].has_value()});
    }
    std::vector<std::string> pairs;
    std::size_t count = 0;
    for (std::size_t i = 0; i < confined.size(); ++i) {
      for (std::size_t j = i + 1; j < confined.size(); ++j) {
        const SmSet both = confined[i].sms & confined[j].sms;
        if (both.none() || !(confined[i].by_share || confined[j].by_share)) continue;
        if (++count <= kMostTold)
          pairs.push_back(fmt::format("{} and {} have SMs {}", *confined[i].name, *confined[j].name, to_text(both)));
      }
    }
    if (count == 0) continue;
    if (count > kMostTold) pairs.push_back(fmt::format("and so do {} pairs more", count - kMostTold));
    lines.push_back(fmt::format("shares of the {} SMs of {} overlap: {}", gpu.sms, gpu.name, fmt::join(pairs, "; ")));
  }
}

void tell_lost_clusters(const GpuConfig& config, const Workload& workload, std::vector<std::string>& lines) {
  if (config.work_distributor.non_portable_cluster_blocks > 1) return;
  const auto has_clusters = [](const LaunchCommand& launch) {
    return launch.kernel && launch.kernel->cluster.count() > 1;
  };
  const auto first = std::find_if(workload.launches.begin(), workload.launches.end(), has_clusters);
  if (first == workload.launches.end()) return;
  lines.push_back(
      fmt::format("clusters of {} launches have no effect, first of {}: {} has none "
                  "(work_distributor.non_portable_cluster_blocks=1), and places their blocks one by one",
                  std::count_if(first, workload.launches.end(), has_clusters), first->label, config.name));
}

}  // namespace

std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload) {
  std::vector<std::string> lines;
  const auto check = [&](bool is_set, const std::string& what, const DecisionInfo& decision, const std::string& policy,
                         Property heeds) {
    if (!is_set || decision.policy(policy).has(heeds)) return is_set;
    lines.push_back(what + " have no effect: " + decision.parameter() + "=" + policy + " does not look at them" +
                    that_do(decision, heeds));
    return false;
  };
  /// What is heeded, but compared only.
  const auto check_compared = [&](const auto& list, auto member, auto standard, const std::string& what,
                                  const DecisionInfo& decision, const std::string& policy, Property heeds) {
    const bool differs = differ(list, member), is_set = differs || (!list.empty() && list.front().*member != standard);
    if (check(is_set, what, decision, policy, heeds) && !differs)
      lines.push_back(what + " have no effect: all are the same");
  };
  check_compared(workload.streams, &StreamSpec::priority, 0, "stream priorities", kernel_orders(),
                 config.work_distributor.kernel_order, Property::kHeedsPriorities);
  check(std::any_of(workload.launches.begin(), workload.launches.end(),
                    [](const LaunchCommand& launch) { return launch.kernel && launch.kernel->demand; }),
        "demands of kernels", sm_models(), config.sm.model, Property::kHeedsDemands);
  const bool warps = !sm_models().at(config.sm.model).has(Property::kNeedsDurations);
  if (warps) {
    check_compared(workload.launches, &LaunchCommand::budget, 1, "budgets of launches", warp_schedulers(),
                   config.sm.warp_scheduler, Property::kHeedsBudgets);
  } else if (differ(workload.launches, &LaunchCommand::budget)) {
    lines.push_back("budgets of launches have no effect: sm.model=" + config.sm.model + " runs no warps");
  }
  const auto any = [&](auto... members) {
    return std::any_of(workload.applications.begin(), workload.applications.end(),
                       [&](const ApplicationSpec& a) { return ((a.share.*members).has_value() || ...); });
  };
  const std::string& policy = config.work_distributor.application;
  const bool shares = check(any(&EngineShare::sm_percent, &EngineShare::active_thread_percentage,
                                &EngineShare::green_context_sms, &EngineShare::thread_percent),
                            "shares of SMs and threads", application_policies(), policy, Property::kHeedsShares);
  if (shares) {
    tell_rounded_shares(config, workload, lines);
    tell_shared_sms(config, workload, lines);
  }
  if (check(any(&EngineShare::mps_priority), "priorities of clients (mps_priority)", application_policies(), policy,
            Property::kHeedsShares)) {
    check(any(&EngineShare::mps_priority), "priorities of clients (mps_priority)", kernel_orders(),
          config.work_distributor.kernel_order, Property::kHeedsPriorities);
  }
  check(any(&EngineShare::time_slice, &EngineShare::timeslice_priority), "time slices and their priorities",
        application_policies(), policy, Property::kHeedsTimeSlices);
  if (!workload.managed.empty() && !(config.mmu.enabled && config.host_link.lanes > 0)) {
    lines.push_back(std::string("managed memory is in the GPU's memory from the start: ") +
                    (config.mmu.enabled ? "host_link.lanes=0" : "mmu.enabled=false"));
  }
  tell_idle_set_aside(workload, lines);
  tell_lost_clusters(config, workload, lines);
  return lines;
}

}  // namespace gputlm
