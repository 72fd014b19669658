/// Gains of FR-RR-FCFS by the number of requests that it can choose from: the workloads of fr-rr-fcfs with the queue sizes
/// whose gates docs/cost.md reports, and with the preset's. The paper gives no depth and makes no claim about it: a table.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// The results with one depth.
struct Depth {
  unsigned queue;
  WorkloadOutcomes workloads;
};

std::vector<Depth> depths_of(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                             const ExperimentOptions& options) {
  auto results = run_workloads(pairs, queues, AloneOn::k60, options);
  std::vector<Depth> depths;
  for (std::size_t i = 0; i < queues.size(); ++i) depths.push_back({queues[i], std::move(results[i].workloads)});
  return depths;
}

ExperimentReport depth(const Study& all, const ExperimentOptions& options) {
  std::vector<Depth> depths = depths_of(memory_workloads(options), all.numbers("dram.queue"), options);
  const std::size_t workloads = depths.front().workloads.size();
  if (!options.quick) {
    for (Depth& depth : depths_of({{"hist", "gups"}}, all.numbers("queue of hist_gups"), options))
      depths.push_back(std::move(depth));
    std::sort(depths.begin(), depths.end(), [](const Depth& a, const Depth& b) { return a.queue < b.queue; });
  }
  Table runs = memory_table({{"queue"}, {"workload"}, {"scheduler"}}), of_all = runs, hist_gups = runs;
  Table gains = gains_table({{"queue"}, {"workload"}}), gains_of_all = gains, gains_of_hist_gups = gains;
  for (const Depth& depth : depths) {
    for (const WorkloadOutcome& w : depth.workloads) {
      const auto add = [&](Table& to_runs, Table& to_gains) {
        for (const auto& [scheduler, outcome, metrics] :
             {std::tuple{"fr_fcfs", &w.fr_fcfs, &w.fr_fcfs_metrics},
              std::tuple{"fr_rr_fcfs", &w.fr_rr_fcfs, &w.fr_rr_fcfs_metrics}})
          add_run(to_runs, {depth.queue, w.name(), scheduler}, *outcome, *metrics);
        add_gains(to_gains, {depth.queue, w.name()}, w);
      };
      add(runs, gains);
      if (depth.workloads.size() == workloads) add(of_all, gains_of_all);
      if (w.name() == "hist_gups") add(hist_gups, gains_of_hist_gups);
    }
  }
  ExperimentReport report{"fr-rr-fcfs"};
  const std::vector<std::string> shown{"fairness_index", "weighted_speedup", "useful", "row_hit_rate"};
  const std::vector<std::string> gained{"fairness_index", "instruction_throughput", "weighted_speedup"};
  report.tables = {
      {fmt::format(
           "Means over {} workloads by the entries of a controller's queue, each a burst; FI: fairness index; WS: "
           "weighted speedup; useful: share of DRAM cycles in which data moves",
           workloads),
       pivot(means(of_all, {"queue", "scheduler"}, shown), {"queue"}, "scheduler", shown), "means"},
      {"The same of fr_rr_fcfs over fr_fcfs; IT: instruction throughput", means(gains_of_all, {"queue"}, gained),
       "mean-gains"},
      {"hist_gups", pivot(hist_gups, {"queue"}, "scheduler", {"fairness_index", "useful_1", "useful_2"}), "hist-gups"},
      {"hist_gups, fr_rr_fcfs over fr_fcfs", gains_of_hist_gups, "hist-gups-gains"},
      {"", runs},
      {"", gains, "gains"}};
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/depth", depth, {"queue of hist_gups"}); }

}  // namespace
}  // namespace gputlm
