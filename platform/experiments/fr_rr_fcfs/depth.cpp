/// What FR-RR-FCFS buys by how many requests it can choose from: the workloads of fr-rr-fcfs with queues of the sizes
/// whose gates docs/cost.md has, and with the preset's. The paper gives no depth and claims nothing of it: a table.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/pairs.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/matrix.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

/// What came out with one depth.
struct Depth {
  unsigned queue;
  WorkloadOutcomes workloads;
};

const WorkloadOutcome& hist_gups(const Depth& depth) {
  return *std::find_if(depth.workloads.begin(), depth.workloads.end(),
                       [](const WorkloadOutcome& w) { return w.name() == "hist_gups"; });
}

std::vector<Depth> run(const ApplicationPairs& pairs, const std::vector<unsigned>& queues,
                       const std::string& second_scheduler, const ExperimentOptions& options) {
  const unsigned preset = experiment_gpu(matrix("fr-rr-fcfs/workloads", options.quick).gpu()).dram.queue;
  auto results = run_workloads(pairs, queues, AloneOn::k60, second_scheduler, options);
  std::vector<Depth> depths;
  for (std::size_t i = 0; i < queues.size(); ++i) {
    depths.push_back({queues[i] > 0 ? queues[i] : preset, std::move(results[i].workloads)});
  }
  return depths;
}

/// Means over the workloads.
std::string table(const std::vector<Depth>& depths) {
  std::string text = fmt::format("{:<5} {:^27}   {:^27}   {:^20}\n", "", "fr_fcfs", "fr_rr_fcfs", "fr_rr over fr") +
                     fmt::format("{:>5} {:>6} {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6}\n",
                                 "queue", "FI", "WS", "bus", "hits", "FI", "WS", "bus", "hits", "FI", "IT", "WS");
  for (const Depth& depth : depths) {
    text += fmt::format("{:>5}", depth.queue);
    const auto add = [&](const char* gap, const Measure& measure) {
      text += fmt::format("{}{:>6.3f}", gap, mean(depth.workloads, measure));
    };
    add(" ", [](const auto& w) { return w.fr_fcfs_metrics.fairness_index; });
    add(" ", [](const auto& w) { return w.fr_fcfs_metrics.weighted_speedup; });
    add(" ", [](const auto& w) { return w.fr_fcfs.useful(); });
    add(" ", [](const auto& w) { return w.fr_fcfs.row_hit_rate; });
    add("   ", [](const auto& w) { return w.fr_rr_fcfs_metrics.fairness_index; });
    add(" ", [](const auto& w) { return w.fr_rr_fcfs_metrics.weighted_speedup; });
    add(" ", [](const auto& w) { return w.fr_rr_fcfs.useful(); });
    add(" ", [](const auto& w) { return w.fr_rr_fcfs.row_hit_rate; });
    add("   ", [](const auto& w) { return 1 - fairness_gain(w); });
    add(" ", throughput);
    add(" ", speedup);
    text += '\n';
  }
  return text;
}

std::string hist_gups_table(const std::vector<Depth>& depths) {
  std::string text = fmt::format("{:<5} {:^20}   {:^20}   {:^20}\n", "", "fr_fcfs", "fr_rr_fcfs", "fr_rr over fr") +
                     fmt::format("{:>5} {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6}   {:>6} {:>6} {:>6}\n", "queue", "FI",
                                 "hist", "gups", "FI", "hist", "gups", "FI", "IT", "WS");
  for (const Depth& depth : depths) {
    const WorkloadOutcome& w = hist_gups(depth);
    text += fmt::format("{:>5} {:>6.3f} {:>6.3f} {:>6.3f}   {:>6.3f} {:>6.3f} {:>6.3f}   {:>6.3f} {:>6.3f} {:>6.3f}\n",
                        depth.queue, w.fr_fcfs_metrics.fairness_index, w.fr_fcfs.applications[0].useful,
                        w.fr_fcfs.applications[1].useful, w.fr_rr_fcfs_metrics.fairness_index,
                        w.fr_rr_fcfs.applications[0].useful, w.fr_rr_fcfs.applications[1].useful, 1 - fairness_gain(w),
                        throughput(w), speedup(w));
  }
  return text;
}

/// One line a workload and depth.
std::string csv(const std::vector<Depth>& depths) {
  std::string text =
      "queue,workload,fi_fr_fcfs,fi_fr_rr_fcfs,ws_fr_fcfs,ws_fr_rr_fcfs,instructions_fr_fcfs,instructions_fr_rr_fcfs,"
      "useful_fr_fcfs,useful_fr_rr_fcfs,row_hit_rate_fr_fcfs,row_hit_rate_fr_rr_fcfs\n";
  for (const Depth& depth : depths) {
    for (const WorkloadOutcome& w : depth.workloads) {
      const Metrics &a = w.fr_fcfs_metrics, &b = w.fr_rr_fcfs_metrics;
      text += fmt::format("{},{},{:.4f},{:.4f},{:.4f},{:.4f},{:.2f},{:.2f},{:.4f},{:.4f},{:.4f},{:.4f}\n", depth.queue,
                          w.name(), a.fairness_index, b.fairness_index, a.weighted_speedup, b.weighted_speedup,
                          a.instructions, b.instructions, w.fr_fcfs.useful(), w.fr_rr_fcfs.useful(),
                          w.fr_fcfs.row_hit_rate, w.fr_rr_fcfs.row_hit_rate);
    }
  }
  return text;
}

}  // namespace

ExperimentReport fr_rr_fcfs_depth(const ExperimentOptions& options, const std::string& second_scheduler) {
  const Matrix all = matrix("fr-rr-fcfs/depth", options.quick);
  std::vector<Depth> depths =
      run(memory_workloads(options.quick), all.numbers("dram.queue"), second_scheduler, options);
  ExperimentReport report;
  report.text = fmt::format("Means over {} workloads\n", depths.front().workloads.size()) + table(depths);
  if (!options.quick) {
    for (Depth& depth : run({{"hist", "gups"}}, all.numbers("dram.queue of hist_gups"), second_scheduler, options)) {
      depths.push_back(std::move(depth));
    }
    std::sort(depths.begin(), depths.end(), [](const Depth& a, const Depth& b) { return a.queue < b.queue; });
  }
  report.text += "\nhist_gups\n" + hist_gups_table(depths) +
                 "queue: entries a controller, each a burst; FI: fairness index; WS: weighted speedup; IT: instruction "
                 "throughput;\nbus, hist, gups: share of DRAM cycles in which data moves, theirs moves; hits: page hit "
                 "rate\n\n";
  if (!options.out.empty()) {
    AtomicFile file(options.out + "/fr-rr-fcfs-depth.csv");
    file.write(csv(depths));
    file.commit();
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"fr-rr-fcfs/depth", 305},
                     "What FR-RR-FCFS buys the 14 workloads by the depth of the controllers' queues",
                     [](const ExperimentOptions& options) { return fr_rr_fcfs_depth(options); }});
}

}  // namespace gputlm
