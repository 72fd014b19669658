#include "platform/experiments/fr_rr_fcfs/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <sstream>
#include <stdexcept>

#include "platform/experiments/fr_rr_fcfs/memory_applications.h"
#include "platform/lab/isolated.h"
#include "platform/lab/metrics.h"
#include "platform/lab/runs.h"
#include "platform/run/simulation.h"

namespace gputlm {
namespace {

/// Adds all of `more`, an application or several, to a workload.
void add(Workload& workload, Workload more) {
  const auto applications = static_cast<ApplicationId>(workload.applications.size());
  const auto streams = static_cast<StreamId>(workload.streams.size());
  for (ApplicationSpec& application : more.applications) workload.applications.push_back(std::move(application));
  for (StreamSpec& stream : more.streams) {
    stream.application = static_cast<ApplicationId>(stream.application + applications);
    workload.streams.push_back(std::move(stream));
  }
  for (LaunchCommand& launch : more.launches) {
    launch.stream += streams;
    workload.launches.push_back(std::move(launch));
  }
}

SmSet sms_from(unsigned first, unsigned end) {
  SmSet sms;
  for (unsigned sm = first; sm < end; ++sm) sms.set(sm);
  return sms;
}

Workload workload_of(const MemoryRun& run, unsigned sms, std::uint64_t seed) {
  Workload workload;
  const std::size_t count = run.applications.size();
  for (std::size_t i = 0; i < count; ++i) {
    Workload one = memory_application(run.applications[i], seed);
    const auto half = static_cast<unsigned>(sms / 2 * i);
    one.applications.front().sms = count == 1 ? sms_from(0, run.sms) : sms_from(half, half + sms / 2);
    one.applications.front().relaunch = count > 1;
    add(workload, std::move(one));
  }
  return workload;
}

/// Runs return what they came to as text, because processes share no memory.
std::string outcome_text(const RunResult& result) {
  const DramStatistics dram = sum(result.channels);
  std::string text = fmt::format("{} {} {} {} {} {}\n", result.cycles, dram.cycles, dram.wasted, dram.idle,
                                 dram.row_hits, dram.row_hits + dram.row_misses + dram.row_conflicts);
  for (std::size_t i = 0; i < result.applications.size(); ++i) {
    const ApplicationRecord& application = result.applications[i];
    const Cycle useful = i < dram.applications.size() ? dram.applications[i].useful : 0;
    text += fmt::format("{} {} {}\n", application.counters.thread_instructions, useful, application.iterations);
  }
  return text;
}

MemoryOutcome parse_outcome(const std::string& text, std::size_t applications) {
  std::istringstream in(text);
  MemoryOutcome outcome;
  double dram_cycles = 0, wasted = 0, idle = 0, hits = 0, accesses = 0;
  in >> outcome.cycles >> dram_cycles >> wasted >> idle >> hits >> accesses;
  outcome.wasted = wasted / dram_cycles;
  outcome.idle = idle / dram_cycles;
  outcome.row_hit_rate = hits / std::max(accesses, 1.0);
  for (std::size_t i = 0; i < applications; ++i) {
    ApplicationShare share;
    double instructions = 0, useful = 0;
    in >> instructions >> useful >> share.ended;
    share.useful = useful / dram_cycles;
    share.ipc = instructions / static_cast<double>(outcome.cycles);
    outcome.applications.push_back(share);
  }
  return outcome;
}

}  // namespace

double MemoryOutcome::useful() const {
  double sum = 0;
  for (const ApplicationShare& application : applications) sum += application.useful;
  return sum;
}

std::vector<MemoryOutcome> run_memory(const std::vector<MemoryRun>& runs, std::uint64_t seed, unsigned parallel) {
  std::vector<std::function<std::string()>> jobs;
  for (const MemoryRun& run : runs) {
    jobs.emplace_back([&run, seed] {
      std::vector<std::pair<std::string, std::string>> settings{{"dram.scheduler", run.scheduler},
                                                                {"dram.row_hit_cap", std::to_string(run.row_hit_cap)}};
      if (run.queue > 0) settings.emplace_back("dram.queue", std::to_string(run.queue));
      const GpuConfig gpu = experiment_gpu("baseline60", settings);
      const RunResult result = simulate(gpu, workload_of(run, gpu.sms, seed), {});
      if (result.state != RunState::kComplete) {
        throw std::runtime_error(fmt::format("the run ended {}", to_string(result.state)));
      }
      return outcome_text(result);
    });
  }
  const std::vector<std::string> texts = run_isolated(jobs, parallel);
  std::vector<MemoryOutcome> outcomes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    outcomes.push_back(parse_outcome(texts[i], runs[i].applications.size()));
  }
  return outcomes;
}

Metrics metrics(const MemoryOutcome& shared, const MemoryOutcome& first_alone, const MemoryOutcome& second_alone) {
  const double first = shared.applications.at(0).ipc, second = shared.applications.at(1).ipc;
  const std::vector<double> speeds{relative_speed(first, first_alone.applications.at(0).ipc),
                                   relative_speed(second, second_alone.applications.at(0).ipc)};
  return {{speeds[0], speeds[1]},
          weighted_speedup(speeds),
          instruction_throughput({first, second}),
          fairness_index(speeds)};
}

}  // namespace gputlm
