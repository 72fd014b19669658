#include "platform/experiments/service/service_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <stdexcept>

#include "models/kernel/random.h"
#include "platform/files/json_text.h"
#include "platform/input/durations_file.h"
#include "platform/input/parameters.h"
#include "platform/input/workload_file.h"
#include "platform/lab/experiment_runs.h"
#include "platform/run/check_fits.h"
#include "platform/run/responses.h"
#include "platform/run/simulation.h"
#include "tlm/base/bytes.h"
#include "tlm/base/digest.h"

namespace gputlm {
namespace {

constexpr std::string_view kKind = "service";

/// Everything that determines the services' behaviour, except the GPU.
std::string text_of(const std::vector<Service>& services) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  for (const Service& s : services) {
    fmt::format_to(out, "{} {} {}\n", s.network.name, s.priority, s.share.sm_percent.value_or(0));
    for (const auto& kernel : s.network.layers) fmt::format_to(out, "{} {}\n", kernel->grid.x, kernel->source());
    for (const Femtoseconds release : s.requests) fmt::format_to(out, "{} ", release);
  }
  return fmt::to_string(text);
}

std::string served(const ServiceRun& run, const Execution& execution) {
  RunOptions options;
  options.window = execution.window;
  options.threads = execution.threads;
  options.durations = run.durations.get();
  const Workload workload = service_workload(run.services, run.sections);
  check_fits(run.config, workload);
  const RunResult result = simulate(run.config, workload, options);
  if (result.state != RunState::kComplete)
    throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
  const AllResponses responses = all_responses(result, workload, Clock::from_mhz(run.config.core_mhz));
  ServiceResult all;
  all.cycles = result.cycles;
  for (std::size_t n = 0; n < run.services.size(); ++n) {
    const Responses& r = responses.applications.at(n).responses;
    Served& served = all.networks.emplace_back(Served{r.jobs, r.p50, r.p99, r.mean, {}});
    for (std::size_t s = 0; s < run.sections.count; ++s)
      served.p99_by_section.push_back(responses.tasks.at(n * run.sections.count + s).responses.p99);
  }
  return bytes_of(kKind, all);
}

/// `requests` requests of one network over a day with sections of this length. Given their number, arrivals of a Poisson
/// process are uniformly distributed.
std::vector<Femtoseconds> spread(const Day& day, std::uint64_t requests, Femtoseconds section, std::uint64_t key) {
  const double whole = std::accumulate(day.sections.begin(), day.sections.end(), 0.0);
  std::vector<Femtoseconds> times;
  double so_far = 0;
  for (std::size_t s = 0; s < day.sections.size(); ++s) {
    so_far += day.sections[s];
    const auto until = static_cast<std::uint64_t>(std::llround(static_cast<double>(requests) * so_far / whole));
    while (times.size() < until) {
      const Femtoseconds at = section * s + uniform_below(derive(key, times.size()), section);
      times.insert(times.end(), std::min<std::uint64_t>(day.burst, until - times.size()), at);
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

Workload service_workload(const std::vector<Service>& services, const DaySections& sections) {
  Workload workload;
  for (std::size_t n = 0; n < services.size(); ++n) {
    const Service& service = services[n];
    const auto application = static_cast<ApplicationId>(n);
    const auto number = static_cast<std::uint32_t>(n);
    const auto first_task = static_cast<std::uint32_t>(workload.tasks.size());
    ApplicationSpec spec{service.network.name};
    spec.share = service.share;
    workload.applications.push_back(std::move(spec));
    workload.streams.push_back({service.network.name, application, service.priority});
    for (std::size_t s = 0; s < sections.count; ++s)
      workload.tasks.push_back({fmt::format("{} {}", service.network.name, s), application});
    std::vector<std::uint32_t> jobs_of(sections.count);
    ThreadSpec thread{service.network.name, application};
    for (const Femtoseconds release : service.requests) {
      const auto section = std::min<std::size_t>(release / sections.length, sections.count - 1);
      const auto task = first_task + static_cast<std::uint32_t>(section);
      const auto job = static_cast<std::uint32_t>(workload.jobs.size());
      workload.jobs.push_back({task, jobs_of[section]++, release});
      thread.calls.push_back({HostCall::Kind::kReleaseJob, number, job});
      for (const auto& kernel : service.network.layers) {
        const std::size_t id = launch(workload, number, kernel, release);
        workload.launches[id].job = job;
        thread.calls.push_back({HostCall::Kind::kLaunch, number, static_cast<std::uint32_t>(id)});
      }
    }
    workload.threads.push_back(std::move(thread));
  }
  return workload;
}

GpuRun ServiceRun::gpu_run() {
  return {config, durations, [this] {
            std::vector<Service> once = services;
            for (Service& service : once) service.requests = {0};
            return service_workload(once);
          }};
}

Job ServiceRun::job() const {
  Bytes launches = 0;
  for (const Service& s : services) launches += s.requests.size() * s.network.layers.size();
  return {digest(fmt::format("service {} {} {} {}\n{}\n{}", program_digest(), sections.count, sections.length,
                             json_text(to_json(config)), durations ? to_text(*durations) : "", text_of(services))),
          [this](const Execution& execution) { return served(*this, execution); },
          estimated_memory(config, Workload{}) + launches * kBytesOfLaunch};
}

ServiceResult ServiceRun::result(std::string_view bytes) { return from_bytes<ServiceResult>(kKind, bytes); }

Network service_network(const std::string& name, std::uint64_t seed) {
  const PresetSource& source = source_named(service_network_sources(), "network", name);
  Network network{name, {}};
  const Workload workload = load_workload_text(source.yaml, "workloads/service/" + name + ".yaml", seed);
  for (const LaunchCommand& launch : workload.launches) network.layers.push_back(launch.kernel);
  return network;
}

Requests request_times(const Day& day, const std::vector<Demand>& demands) {
  const auto rate = [&](const Demand& d) { return day.load * d.share / static_cast<double>(d.alone); };
  double launch_rate = 0;
  for (const Demand& d : demands) launch_rate += rate(d) * d.layers;
  const double length = static_cast<double>(day.launches) / launch_rate;
  Requests all;
  all.section = static_cast<Femtoseconds>(length / static_cast<double>(day.sections.size()));
  for (std::size_t n = 0; n < demands.size(); ++n) {
    const std::uint64_t requests = std::max<long long>(1, std::llround(rate(demands[n]) * length));
    all.times.push_back(spread(day, requests, all.section, derive(mix(day.seed), n)));
  }
  return all;
}

}  // namespace gputlm
