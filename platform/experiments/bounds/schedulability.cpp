/// The share of random task sets that is schedulable, by analysis and by simulation, for each way to share a GPU. Also checks
/// that no simulated response exceeds its bound, unless an assumption of the analysis does not hold.
#include <fmt/format.h>

#include <algorithm>

#include "platform/bounds/study.h"
#include "platform/experiments/bounds/set_run.h"
#include "platform/input/workload_file.h"
#include "platform/lab/experiment.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

SetRun set_run(const Study& plan, const std::string& scheme, unsigned utilisation, std::uint64_t seed) {
  const unsigned tasks = plan.number("tasks");
  ParameterSettings settings;
  SetRun run;
  run.spec = task_set_spec(plan, utilisation);
  const auto application = [&](const char* policy) { settings.emplace_back("work_distributor.application", policy); };
  if (scheme == "levels") run.spec.priorities = TaskSetSpec::Priorities::kRate;
  if (scheme == "partitions") {
    application("partitioned");
    run.like.share.sm_percent = 100 / tasks;
  }
  if (scheme == "time_slices") {
    application("time_sliced");
    settings.emplace_back("work_distributor.time_sliced.time_slice_us", fmt::to_string(plan.number("time_slice_us")));
  }
  if (scheme == "exclusive") application("exclusive");
  run.config = plan.config_with(settings);
  run.seed = seed;
  run.longest_periods = plan.number("longest_periods");
  return run;
}

/// The longest response of each task relative to its bound, for two tasks that share the memory.
std::vector<double> in_memory(const GpuConfig& gpu, bool instances, const JobOptions& jobs) {
  Workload workload = load_workload_text(bounds_workload_sources().front().yaml, "workloads/bounds/memory.yaml", 1);
  GpuConfig config = gpu;
  if (instances) {
    for (ApplicationSpec& application : workload.applications) {
      application.instance = application.name;
      InstanceSpec half{application.name};
      half.gpcs = gpu.gpcs() / 2;
      half.channels = gpu.dram.channels / 2;
      workload.instances.push_back(half);
    }
  } else {
    config.work_distributor.application = "partitioned";
  }
  const BoundStudy study = study_bounds(config, {workload}, 2, jobs);
  std::vector<double> shares;
  for (std::size_t t = 0; t < study.bounds.size(); ++t)
    shares.push_back(ratio(static_cast<double>(study.simulated[t].worst),
                           static_cast<double>(study.bounds[t].bound.cycles.value_or(0))));
  return shares;
}

ExperimentReport schedulability(const Study& all, const ExperimentOptions& options) {
  const SetShares shares = shares_of_sets(
      all, "scheme",
      [&](const std::string& scheme, unsigned utilisation) { return set_run(all, scheme, utilisation, options.seed); },
      options.jobs());
  Table table({{"scheme"},
               {"utilisation", "", "Utilisation of the whole GPU by all tasks", "", 2},
               {"sets"},
               {"analysis", "", "Share of the sets with every bound within its deadline", "", 3},
               {"simulation", "", "Share of the sets without a missed deadline", "", 3},
               {"responses", "", "Responses of tasks that have a bound"},
               {"above", "", "Responses above the bound"},
               {"of_bound", "", "Longest response as a share of the bound, mean of the tasks", "of bound", 2}});
  Table lines({{"scheme"},
               {"utilisation", "", "utilisation of the whole GPU", "", 2},
               {"by"},
               {"share", "", "schedulable sets", "", 3}});
  SetShare sum;
  std::vector<std::string> falls;
  for (const std::string& scheme : all.values("scheme")) {
    std::vector<double> by_analysis;
    for (const unsigned percent : all.numbers("utilisation_percent")) {
      const SetShare& share = shares.at({scheme, percent});
      sum.add(share);
      const auto of_sets = [&](std::uint64_t part) {
        return ratio(static_cast<double>(part), static_cast<double>(share.sets));
      };
      const double utilisation = percent / 100.0;
      by_analysis.push_back(of_sets(share.by_analysis));
      table.add({scheme, utilisation, share.sets, by_analysis.back(), of_sets(share.by_simulation), share.bounded,
                 share.above, ratio(share.of_bounds, static_cast<double>(share.bounds))});
      lines.add({scheme, utilisation, "analysis", of_sets(share.by_analysis)});
      lines.add({scheme, utilisation, "simulation", of_sets(share.by_simulation)});
    }
    if (by_analysis.front() > by_analysis.back()) falls.push_back(scheme);
  }
  ExperimentReport report;
  report.tables = {
      {"Random task sets: which share is schedulable", table, "",
       fmt::format("{} responses of tasks with a bound in {} sets, counted for each scheme, {} of them above it",
                   sum.bounded, sum.sets, sum.above)}};
  report.charts = {{line_chart(lines, {"utilisation", "share", {"by"}, "scheme"})}};
  report.all("responses no longer than their bounds", sum.bounded - sum.above, sum.bounded);
  report.all("sets that the analysis accepts and no job of which misses its deadline",
             sum.by_analysis - sum.accepted_and_missed, sum.by_analysis);
  report.all("schemes of which more sets are accepted at the least utilisation than at the largest", falls.size(),
             all.values("scheme").size());

  const GpuConfig gpu = experiment_gpu(all.gpu());
  Table memory({{"isolation"}, {"task"}, {"of_bound", "", "Longest response as a share of the bound", "of bound", 2}});
  const std::vector<std::string> names{"gather", "stream"};
  for (const bool instances : {false, true}) {
    const std::vector<double> shares_of_bounds = in_memory(gpu, instances, options.jobs());
    const std::string isolation = instances ? "instances" : "partitions";
    for (std::size_t t = 0; t < shares_of_bounds.size(); ++t) memory.add({isolation, names.at(t), shares_of_bounds[t]});
    report.figures.push_back(
        {fmt::format("tasks that meet in memory, {}: longest response over its bound", isolation),
         instances ? "no more than 1" : "more than 1",
         Quantity::number(*std::max_element(shares_of_bounds.begin(), shares_of_bounds.end()), 2),
         instances ? Band::range(0, 1, 2) : Band::above(1),
         instances
             ? "Each has channels and an L2 of its own."
             : "Assumed, and broken by shared caches, crossbar and DRAM: a kernel takes no longer beside others."});
  }
  report.tables.push_back({"Two tasks on SMs of their own that meet in the memory, or do not", memory, "memory"});
  return report;
}

GPUTLM_REGISTER {
  add_experiment(
      "bounds/schedulability", schedulability,
      {"scheme", "utilisation_percent", "sets", "tasks", "period_us", "block_us", "time_slice_us", "longest_periods"});
}

}  // namespace
}  // namespace gputlm
