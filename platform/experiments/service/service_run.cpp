#include "platform/experiments/service/service_run.h"

#include <fmt/format.h>

#include <iterator>
#include <stdexcept>

#include "platform/files/bytes.h"
#include "platform/files/json_text.h"
#include "platform/input/parameters.h"
#include "platform/run/memory_estimate.h"
#include "platform/run/responses.h"
#include "platform/run/simulation.h"
#include "tlm/digest.h"

namespace gputlm {
namespace {

constexpr std::string_view kKind = "service";
constexpr Bytes kBytesOfLaunch = 1000;  // measured: 700 to 1100, of runs of up to a million launches

/// All that decides what the services do, but for the GPU.
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

std::string served(const GpuConfig& config, const Workload& workload, const Execution& execution) {
  RunOptions options;
  options.window = execution.window;
  options.threads = execution.threads;
  const RunResult result = simulate(config, workload, options);
  if (result.state != RunState::kComplete)
    throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
  ServiceResult all;
  all.cycles = result.cycles;
  for (const ResponseGroup& task : all_responses(result, workload, Clock::from_mhz(config.core_mhz)).tasks) {
    const Responses& r = task.responses;
    all.networks.push_back({r.jobs, r.p50, r.p99, r.mean});
  }
  return bytes_of(kKind, all);
}

}  // namespace

Workload service_workload(const std::vector<Service>& services) {
  Workload workload;
  for (std::size_t n = 0; n < services.size(); ++n) {
    const Service& service = services[n];
    const auto application = static_cast<ApplicationId>(n);
    const auto number = static_cast<std::uint32_t>(n);
    ApplicationSpec spec{service.network.name};
    spec.share = service.share;
    workload.applications.push_back(std::move(spec));
    workload.streams.push_back({service.network.name, application, service.priority});
    workload.tasks.push_back({service.network.name, application});
    ThreadSpec thread{service.network.name, application};
    for (std::size_t r = 0; r < service.requests.size(); ++r) {
      const auto job = static_cast<std::uint32_t>(workload.jobs.size());
      workload.jobs.push_back({number, static_cast<std::uint32_t>(r), service.requests[r]});
      thread.calls.push_back({HostCall::Kind::kReleaseJob, number, job});
      for (const auto& kernel : service.network.layers) {
        const std::size_t id = launch(workload, number, kernel, service.requests[r]);
        workload.launches[id].job = job;
        thread.calls.push_back({HostCall::Kind::kLaunch, number, static_cast<std::uint32_t>(id)});
      }
    }
    workload.threads.push_back(std::move(thread));
  }
  return workload;
}

Job ServiceRun::job() const {
  Bytes launches = 0;
  for (const Service& s : services) launches += s.requests.size() * s.network.layers.size();
  return {digest(fmt::format("service {} {}\n{}", program_digest(), json_text(to_json(config)), text_of(services))),
          [this](const Execution& execution) { return served(config, service_workload(services), execution); },
          estimated_memory(config, Workload{}) + launches * kBytesOfLaunch};
}

ServiceResult ServiceRun::result(std::string_view bytes) { return from_bytes<ServiceResult>(kKind, bytes); }

}  // namespace gputlm
