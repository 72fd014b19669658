// SMs, threads and turns on the engine: `sms` of applications and launches, shares of MPS, green contexts, time slices.
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "models/work_distributor/application.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/sm_share.h"
#include "platform/input/id_set.h"
#include "platform/run/shares.h"

namespace gputlm {
namespace {

void check_partitions(const Sharing& s) {
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    const GpuConfig& config = s.parts.gpu_of(a);
    if (!application.sms) continue;
    const SmSet beyond = *application.sms & ~sm_range(0, config.sms - 1);
    if (application.sms->none() || beyond.any()) {
      refuse(application, "found {}, allowed: SMs of {}, 0 to {}", beyond.any() ? "SM " + to_text(beyond) : "no SM",
             config.name, config.sms - 1);
    }
  }
  for (const LaunchCommand& launch : s.workload.launches) {
    if (!launch.sms) continue;
    const GpuConfig& config = s.parts.gpu_of(s.workload.streams[launch.stream].application);
    SmSet allowed = sm_range(0, config.sms - 1);
    if (const auto& sms = s.applications()[s.workload.streams[launch.stream].application].sms) allowed &= *sms;
    if ((*launch.sms & allowed).any()) continue;
    refuse(launch, "found no SM of {} for its blocks, allowed: one or more of {}", config.name, to_text(allowed));
  }
}

/// The SMs that a green context may request if `left` SMs are available.
std::string green_sms(unsigned left, const SmGranularity& granularity) {
  if (left == 0) return "none";
  const unsigned most = left / granularity.green_step * granularity.green_step;
  if (most < granularity.green_least) return fmt::format("{}, the remainder,", left);
  return fmt::format("at most {}", most) + (most == left ? "" : fmt::format(", or {}, the remainder,", left));
}

/// Checks that the policy that shares the engine leaves each application an SM with room for its blocks.
void check_engine_shares(const Sharing& s) {
  if (!application_policies().at(s.gpu.work_distributor.application).has(Property::kHeedsShares)) return;
  const auto granularity = read_options<SmGranularity>(s.gpu.work_distributor.options, "partitioned");
  for (std::size_t g = 0; g < s.parts.size(); ++g) {
    const GpuConfig& config = s.parts[g].config;
    const auto shares = sm_shares(s.parts.engine_shares(g, s.applications()), config.sms, granularity);
    unsigned taken = 0;  // SMs of green contexts
    for (std::size_t a = 0; a < shares.size(); ++a) {
      const auto& share = shares[a];
      const ApplicationSpec& application = s.applications()[a];
      if (!share) continue;
      if (share->given == 0) {
        refuse(application, "found sm_percent {}, which is no SM of {}, allowed: {} to 100",
               *application.share.sm_percent, config.name, (100 + config.sms - 1) / config.sms);
      }
      if (!share->alone) continue;
      if (share->given > config.sms - taken) {
        refuse(application,
               "found green_context_sms {}, allowed: {} of the {} SMs of {}, of which other green contexts have {}",
               *application.share.green_context_sms, green_sms(config.sms - taken, granularity), config.sms,
               config.name, taken);
      }
      taken += share->given;
    }
  }
  for (const LaunchCommand& launch : s.workload.launches) {
    const auto percent = s.applications()[s.workload.streams[launch.stream].application].share.thread_percent;
    if (!percent) continue;
    const unsigned warps = s.gpu.sm.threads * *percent / 100 / static_cast<unsigned>(kWarpSize);
    if (launch.kernel->warps_per_block() <= warps) continue;
    refuse(launch, "a block of kernel {} has {} warps, allowed: {}, as its application has thread_percent {}",
           launch.kernel->name, launch.kernel->warps_per_block(), warps, *percent);
  }
}

/// A driver rounds silently.
void tell_rounded_shares(const Sharing& s, std::vector<std::string>& lines) {
  const auto granularity = read_options<SmGranularity>(s.gpu.work_distributor.options, "partitioned");
  std::vector<std::vector<std::optional<SmShare>>> shares;
  for (std::size_t g = 0; g < s.parts.size(); ++g)
    shares.push_back(sm_shares(s.parts.engine_shares(g, s.applications()), s.parts[g].config.sms, granularity));
  for (std::size_t a = 0; a < s.applications().size(); ++a) {
    const ApplicationSpec& application = s.applications()[a];
    const GpuConfig& gpu = s.parts.gpu_of(a);
    const auto& share = shares[s.parts.of(a)][a];
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

/// Limits of MPS do not reserve SMs, and shares above 100 % wrap around to SM 0.
void tell_shared_sms(const Sharing& s, std::vector<std::string>& lines) {
  constexpr std::size_t kMostTold = 5;
  for (std::size_t g = 0; g < s.parts.size(); ++g) {
    const GpuConfig& gpu = s.parts[g].config;
    const ApplicationSetup setup{s.parts.engine_shares(g, s.applications()), gpu.sms, gpu.sm.threads,
                                 Clock::from_mhz(gpu.core_mhz), gpu.work_distributor.options};
    const auto shares =
        sm_shares(setup.shares, gpu.sms, read_options<SmGranularity>(gpu.work_distributor.options, "partitioned"));
    const auto policy = make_application_policy(gpu.work_distributor.application, setup);
    struct Confined {
      const std::string* name;
      SmSet sms;
      bool by_share;  // by a share; otherwise by `sms`, which the user knows
    };
    std::vector<Confined> confined;
    for (std::size_t a = 0; a < shares.size(); ++a) {
      const ApplicationSpec& application = s.applications()[a];
      if (s.parts.of(a) != g || (!shares[a] && !application.sms)) continue;
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

void check_sm_shares(const Sharing& s) {
  check_partitions(s);
  check_engine_shares(s);
}

void warn_of_sm_shares(const Sharing& s, std::vector<std::string>& lines) {
  const auto any = [&](auto... members) {
    return std::any_of(s.applications().begin(), s.applications().end(),
                       [&](const ApplicationSpec& a) { return ((a.share.*members).has_value() || ...); });
  };
  const std::string& policy = s.gpu.work_distributor.application;
  const bool shares =
      is_heeded(any(&EngineShare::sm_percent, &EngineShare::active_thread_percentage, &EngineShare::green_context_sms,
                    &EngineShare::thread_percent),
                "shares of SMs and threads", application_policies(), policy, Property::kHeedsShares, lines);
  if (shares) {
    tell_rounded_shares(s, lines);
    tell_shared_sms(s, lines);
  }
  if (is_heeded(any(&EngineShare::mps_priority), "priorities of clients (mps_priority)", application_policies(), policy,
                Property::kHeedsShares, lines)) {
    is_heeded(any(&EngineShare::mps_priority), "priorities of clients (mps_priority)", kernel_orders(),
              s.gpu.work_distributor.kernel_order, Property::kHeedsPriorities, lines);
  }
  is_heeded(any(&EngineShare::time_slice, &EngineShare::timeslice_priority), "time slices and their priorities",
            application_policies(), policy, Property::kHeedsTimeSlices, lines);
}

}  // namespace

const ShareMechanism kSmShares{check_sm_shares, nullptr, warn_of_sm_shares};

}  // namespace gputlm
