/// The 14 workloads of fr-rr-fcfs: two applications side by side under FR-FCFS and under FR-RR-FCFS (figures 2 to 4 and
/// 6 to 10).
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/pairs.h"
#include "platform/experiments/fr_rr_fcfs/tables.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

double hits_lost(const WorkloadOutcome& w) { return w.fr_fcfs.row_hit_rate - w.fr_rr_fcfs.row_hit_rate; }

std::string largest(const WorkloadOutcomes& workloads, const Measure& measure) {
  return std::max_element(workloads.begin(), workloads.end(),
                          [&](const auto& a, const auto& b) { return measure(a) < measure(b); })
      ->name();
}

/// Adds figures; those of workloads that were not run are left out.
class Figures {
 public:
  Figures(const WorkloadOutcomes& workloads, std::vector<Figure>& figures) : workloads_(workloads), figures_(figures) {}

  /// Shown beside the paper's number, of the key `paper`.
  void number(const std::string& workload, const std::string& what, const std::string& paper, const Measure& ours,
              const std::string& note = "") {
    if (const WorkloadOutcome* w = find(workload)) {
      figures_.push_back(
          compared_figure(workload + ": " + what, paper_.at(paper), Quantity::number(ours(*w), 2), note));
    }
  }
  /// The same, and must lie above a bound.
  void above(const std::string& workload, const std::string& what, const std::string& paper, const Measure& ours,
             double bound) {
    if (const WorkloadOutcome* w = find(workload)) {
      judged(workload + ": " + what, paper, ours(*w), Band::above(bound));
    }
  }
  void judged(const std::string& name, const std::string& paper, double ours, Band band) {
    figures_.push_back({name, paper_.at(paper), Quantity::number(ours, 3), std::move(band), ""});
  }

 private:
  const WorkloadOutcome* find(const std::string& name) const {
    const auto found =
        std::find_if(workloads_.begin(), workloads_.end(), [&](const auto& w) { return w.name() == name; });
    return found == workloads_.end() ? nullptr : &*found;
  }
  const Reference& paper_ = reference("fr-rr-fcfs");
  const WorkloadOutcomes& workloads_;
  std::vector<Figure>& figures_;
};

/// Section 3: FR-FCFS.
void baseline_figures(const WorkloadResults& results, bool all, std::vector<Figure>& out) {
  Figures figures(results.workloads, out);
  const auto fairness = [](const WorkloadOutcome& w) { return w.fr_fcfs_metrics.fairness_index; };
  if (all)
    out.push_back(exact_figure("fr_fcfs: least fair", reference("fr-rr-fcfs").at("fr_fcfs.least_fair"),
                               largest(results.workloads, fairness)));
  figures.number("gups_dgemm", "fairness index, fr_fcfs", "fr_fcfs.gups_dgemm.fairness_index", fairness,
                 "dgemm is slowed down twice as much");
  figures.number("gups_dgemm", "gups, IPC shared over alone", "fr_fcfs.gups_dgemm.gups_relative_speed",
                 [](const auto& w) { return w.fr_fcfs_metrics.slowdown[0]; });
  figures.number(
      "gups_dgemm", "dgemm, IPC shared over alone", "fr_fcfs.gups_dgemm.dgemm_relative_speed",
      [](const auto& w) { return w.fr_fcfs_metrics.slowdown[1]; },
      "the same bandwidth as in the paper, but the L2 keeps less for it");
  figures.number(
      "gups_dgemm", "bandwidth of gups over alone", "fr_fcfs.gups_dgemm.gups_bandwidth_over_alone",
      [&](const auto& w) { return w.fr_fcfs.applications[0].useful / results.alone.at("gups").on_60.useful(); });
  figures.number("gups_dgemm", "bandwidth of dgemm", "fr_fcfs.gups_dgemm.dgemm_bandwidth",
                 [](const auto& w) { return w.fr_fcfs.applications[1].useful; });
  unsigned beside = 0, starved = 0;
  for (const WorkloadOutcome& w : results.workloads) {
    if (w.first != "gups" && w.second != "gups") continue;
    const std::size_t gups = w.first == "gups" ? 0 : 1;
    ++beside;
    starved += w.fr_fcfs_metrics.slowdown[1 - gups] < w.fr_fcfs_metrics.slowdown[gups];
  }
  out.push_back(exact_figure("fr_fcfs: slowed down more than GUPS beside it", fmt::format("{} of {}", beside, beside),
                             fmt::format("{} of {}", starved, beside)));
  const auto weighted = [](const WorkloadOutcome& w) { return w.fr_fcfs_metrics.weighted_speedup; };
  figures.number("hist_dgemm", "weighted speedup, fr_fcfs", "fr_fcfs.weighted_speedup.hist_dgemm", weighted);
  figures.number("gauss_gups", "weighted speedup, fr_fcfs", "fr_fcfs.weighted_speedup.gauss_gups", weighted);
  figures.number("gups_dgemm", "weighted speedup, fr_fcfs", "fr_fcfs.weighted_speedup.gups_dgemm", weighted);
  const auto above = std::count_if(results.workloads.begin(), results.workloads.end(),
                                   [&](const WorkloadOutcome& w) { return weighted(w) > 1; });
  out.push_back(compared_figure("fr_fcfs: weighted speedup above 1",
                                reference("fr-rr-fcfs").at("fr_fcfs.weighted_speedup.above_1"),
                                fmt::format("{} of {}", above, results.workloads.size()),
                                "missed: in a shared L2 both need more traffic for the same work"));
}

/// Section 5: FR-RR-FCFS over FR-FCFS.
void improvement_figures(const WorkloadResults& results, bool all, std::vector<Figure>& out) {
  Figures figures(results.workloads, out);
  figures.above("hist_gups", "fairness index lower by", "fr_rr_fcfs.fairness_index_lower.hist_gups", fairness_gain, 0);
  figures.above("gups_3ds", "fairness index lower by", "fr_rr_fcfs.fairness_index_lower.gups_3ds", fairness_gain, 0);
  figures.above("gauss_bfs", "fairness index lower by", "fr_rr_fcfs.fairness_index_lower.gauss_bfs", fairness_gain, 0);
  figures.above("hist_bfs", "fairness index lower by", "fr_rr_fcfs.fairness_index_lower.hist_bfs", fairness_gain, 0);
  if (all) {
    figures.judged("mean: fairness index lower by", "fr_rr_fcfs.fairness_index_lower.mean",
                   mean(results.workloads, fairness_gain), Band::above(0));
  }
  figures.above("hist_gups", "instruction throughput", "fr_rr_fcfs.instruction_throughput.hist_gups", throughput, 1);
  if (all)
    out.push_back(exact_figure("largest gain in throughput",
                               reference("fr-rr-fcfs").at("fr_rr_fcfs.instruction_throughput.largest"),
                               largest(results.workloads, throughput)));
  figures.number("hist_gups", "weighted speedup over fr_fcfs", "fr_rr_fcfs.weighted_speedup.hist_gups", speedup);
  std::string both;
  for (const WorkloadOutcome& w : results.workloads) {
    if (throughput(w) > 1.01 && speedup(w) > 1) both += (both.empty() ? "" : ", ") + w.name();
  }
  out.push_back(compared_figure("throughput and weighted speedup higher",
                                reference("fr-rr-fcfs").at("fr_rr_fcfs.both_higher"), both, ""));
  figures.number("hist_gauss", "weighted speedup over fr_fcfs", "fr_rr_fcfs.weighted_speedup.hist_gauss", speedup);
  figures.number("hist_3ds", "weighted speedup over fr_fcfs", "fr_rr_fcfs.weighted_speedup.hist_3ds", speedup);
  if (all) {
    figures.judged("mean: page hit rate lost", "fr_rr_fcfs.page_hit_rate_lost", mean(results.workloads, hits_lost),
                   Band::below(0.01));
  }
  figures.number(
      "hist_gups", "bandwidth of hist, fr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth_under_fr_fcfs",
      [](const auto& w) { return w.fr_fcfs.applications[0].useful; }, "one line a warp at a time against all of gups");
  figures.number(
      "hist_gups", "bandwidth of hist, fr_rr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth",
      [](const auto& w) { return w.fr_rr_fcfs.applications[0].useful; }, "likewise");
  figures.above(
      "hist_gups", "bandwidth of hist, times fr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth_over_fr_fcfs",
      [](const auto& w) { return w.fr_rr_fcfs.applications[0].useful / w.fr_fcfs.applications[0].useful; }, 1);
}

void write(const std::string& folder, const char* name, const std::string& text) {
  AtomicFile file(folder + "/" + name);
  file.write(text);
  file.commit();
}

}  // namespace

ExperimentReport fr_rr_fcfs_workloads(const ExperimentOptions& options, const std::string& second_scheduler) {
  const WorkloadResults results =
      run_workloads(memory_workloads(options.quick), {0}, AloneOn::k60And30, second_scheduler, options).front();
  ExperimentReport report;
  report.text = metrics_table(results.workloads) + "\nShares of DRAM cycles (figures 4 and 8)\n" +
                bandwidth_table(results.alone, results.workloads) + "\n";
  baseline_figures(results, !options.quick, report.figures);
  improvement_figures(results, !options.quick, report.figures);
  if (!options.out.empty()) {
    write(options.out, "fr-rr-fcfs.csv", csv(results.alone, results.workloads));
    write_chart(options.out + "/fr-rr-fcfs.svg", bandwidth_chart(results.alone, results.workloads));
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"fr-rr-fcfs/workloads", 304},
                     "14 workloads of two applications under two memory schedulers (figures 2 to 4, 6 to 10)",
                     [](const ExperimentOptions& options) { return fr_rr_fcfs_workloads(options); }});
}

}  // namespace gputlm
