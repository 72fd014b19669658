/// The 14 workloads of fr-rr-fcfs: two applications side by side under FR-FCFS and under FR-RR-FCFS (figures 2 to 4 and
/// 6 to 10).
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/pairs.h"
#include "platform/experiments/fr_rr_fcfs/tables.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

double hits_lost(const WorkloadOutcome& w) { return w.fr_fcfs.row_hit_rate - w.fr_rr_fcfs.row_hit_rate; }
double index(const WorkloadOutcome& w) { return w.fr_fcfs_metrics.fairness_index; }
double weighted_speedup(const WorkloadOutcome& w) { return w.fr_fcfs_metrics.weighted_speedup; }

using Condition = std::function<bool(const WorkloadOutcome&)>;

std::string largest(const WorkloadOutcomes& workloads, const Measure& measure) {
  return std::max_element(workloads.begin(), workloads.end(),
                          [&](const auto& a, const auto& b) { return measure(a) < measure(b); })
      ->name();
}

/// Where `application` stands in a workload; nothing if it is not in it.
std::optional<std::size_t> place_of(const std::string& application, const WorkloadOutcome& w) {
  if (w.first == application) return 0;
  if (w.second == application) return 1;
  return {};
}

std::string count(const WorkloadOutcomes& workloads, const Condition& of, const Condition& that) {
  unsigned all = 0, there = 0;
  for (const WorkloadOutcome& w : workloads) {
    if (!of(w)) continue;
    ++all;
    there += that(w);
  }
  return fmt::format("{} of {}", there, all);
}

/// Adds figures; those of workloads that were not run are left out.
class Figures {
 public:
  Figures(const WorkloadOutcomes& workloads, std::vector<Figure>& figures) : workloads_(workloads), figures_(figures) {}

  /// Of one workload, beside the paper's number or word of the key `paper`.
  void of(const std::string& workload, const std::string& what, const std::string& paper, const Measure& ours,
          Band band) {
    const auto found = std::find_if(workloads_.begin(), workloads_.end(),
                                    [&](const WorkloadOutcome& w) { return w.name() == workload; });
    if (found != workloads_.end()) number(workload + ": " + what, paper, ours(*found), std::move(band));
  }
  void number(const std::string& name, const std::string& paper, double ours, Band band) {
    figures_.push_back({name, paper_.at(paper), Quantity::number(ours, 3), std::move(band), ""});
  }
  void exact(const std::string& name, const std::string& paper, const std::string& ours) {
    figures_.push_back(exact_figure(name, paper_.at(paper), ours));
  }

 private:
  const Reference& paper_ = reference("fr-rr-fcfs");
  const WorkloadOutcomes& workloads_;
  std::vector<Figure>& figures_;
};

/// Section 3: FR-FCFS, two workloads of it in numbers.
void baseline_figures(const WorkloadResults& results, std::vector<Figure>& out) {
  Figures figures(results.workloads, out);
  const std::string gups_dgemm = "fr_fcfs.gups_dgemm.";
  figures.of("gups_dgemm", "fairness index", gups_dgemm + "fairness_index", index, Band::peak());
  figures.of(
      "gups_dgemm", "gups, IPC shared over alone", gups_dgemm + "gups_relative_speed",
      [](const auto& w) { return w.fr_fcfs_metrics.slowdown[0]; }, Band::table());
  figures.of(
      "gups_dgemm", "dgemm, IPC shared over alone", gups_dgemm + "dgemm_relative_speed",
      [](const auto& w) { return w.fr_fcfs_metrics.slowdown[1]; }, Band::peak());
  figures.of(
      "gups_dgemm", "bandwidth of gups over alone", gups_dgemm + "gups_bandwidth_over_alone",
      [&](const auto& w) { return w.fr_fcfs.applications[0].useful / results.alone.at("gups").on_60.useful(); },
      Band::table());
  figures.of(
      "gups_dgemm", "bandwidth of dgemm", gups_dgemm + "dgemm_bandwidth",
      [](const auto& w) { return w.fr_fcfs.applications[1].useful; }, Band::peak());
  for (const char* workload : {"hist_dgemm", "gauss_gups", "gups_dgemm"}) {
    figures.of(workload, "weighted speedup", std::string("fr_fcfs.weighted_speedup.") + workload, weighted_speedup,
               Band::table());
  }
}

/// Section 3, what is said of all workloads.
void baseline_claims(const WorkloadOutcomes& workloads, std::vector<Figure>& out) {
  Figures figures(workloads, out);
  const Condition all = [](const auto&) { return true; };
  const Condition with_gups = [](const auto& w) { return place_of("gups", w).has_value(); };
  const Condition without_gups = [&](const auto& w) { return !with_gups(w); };
  const auto mean_of = [&](const Measure& measure, const Condition& of) {
    WorkloadOutcomes some;
    std::copy_if(workloads.begin(), workloads.end(), std::back_inserter(some), of);
    return mean(some, measure);
  };
  figures.exact("fr_fcfs: least fair", "fr_fcfs.least_fair", largest(workloads, index));
  const auto unfair = std::count_if(workloads.begin(), workloads.end(), [](const auto& w) { return index(w) > 1.1; });
  out.push_back({"fr_fcfs: fairness index above 1.1", reference("fr-rr-fcfs").at("fr_fcfs.unfair"),
                 fmt::format("{} of {}", unfair, workloads.size()),
                 Band::trend("most", 2 * static_cast<std::size_t>(unfair) > workloads.size()), ""});
  double others = 0;  // the fairest of those that the paper calls very unfair
  for (const WorkloadOutcome& w : workloads) {
    if (w.name() == "gups_3ds" || w.name() == "gauss_gups") others = others > 0 ? std::min(others, index(w)) : index(w);
  }
  figures.of(
      "hist_dgemm", "fairness index over that of gups_3ds and gauss_gups", "fr_fcfs.balanced",
      [&](const auto& w) { return index(w) / others; }, Band::below(1));
  figures.exact("fr_fcfs: GUPS has most of the bandwidth", "fr_fcfs.beside_gups",
                count(workloads, with_gups, [](const auto& w) {
                  const std::size_t gups = *place_of("gups", w);
                  return w.fr_fcfs.applications[gups].useful > w.fr_fcfs.applications[1 - gups].useful;
                }));
  figures.exact("fr_fcfs: slowed down more than GUPS beside it", "fr_fcfs.beside_gups",
                count(workloads, with_gups, [](const auto& w) {
                  const std::size_t gups = *place_of("gups", w);
                  return w.fr_fcfs_metrics.slowdown[1 - gups] < w.fr_fcfs_metrics.slowdown[gups];
                }));
  figures.exact("fr_fcfs: largest weighted speedup", "fr_fcfs.weighted_speedup.largest",
                largest(workloads, weighted_speedup));
  figures.exact("fr_fcfs: weighted speedup above 1", "fr_fcfs.weighted_speedup.above_1",
                count(workloads, all, [](const auto& w) { return weighted_speedup(w) > 1; }));
  figures.number("fr_fcfs: mean weighted speedup with GUPS, over that of the others",
                 "fr_fcfs.weighted_speedup.with_gups",
                 mean_of(weighted_speedup, with_gups) / mean_of(weighted_speedup, without_gups), Band::below(1));
}

/// Section 5: FR-RR-FCFS over FR-FCFS, single workloads.
void improvement_figures(const WorkloadOutcomes& workloads, std::vector<Figure>& out) {
  Figures figures(workloads, out);
  for (const char* workload : {"hist_gups", "gups_3ds", "gauss_bfs", "hist_bfs"}) {
    figures.of(workload, "fairness index lower by", std::string("fr_rr_fcfs.fairness_index_lower.") + workload,
               fairness_gain, Band::peak());
  }
  figures.of("hist_gups", "instruction throughput over fr_fcfs", "fr_rr_fcfs.instruction_throughput.hist_gups",
             throughput, Band::peak());
  figures.of("hist_gups", "weighted speedup over fr_fcfs", "fr_rr_fcfs.weighted_speedup.hist_gups", speedup,
             Band::table());
  for (const char* workload : {"hist_gups", "hist_bfs", "gauss_gups", "gups_3ds"}) {
    figures.of(workload, "gains instruction throughput", "fr_rr_fcfs.both_higher", throughput, Band::above(1));
    figures.of(workload, "gains weighted speedup", "fr_rr_fcfs.both_higher", speedup, Band::above(1));
  }
  for (const char* workload : {"hist_gauss", "hist_3ds"}) {
    figures.of(workload, "loses a little weighted speedup", std::string("fr_rr_fcfs.weighted_speedup.") + workload,
               speedup, Band::range(0.95, 0.99, 2));
  }
  const auto hist = [](const MemoryOutcome& o) { return o.applications[0].useful; };
  figures.of(
      "hist_gups", "bandwidth of hist, fr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth_under_fr_fcfs",
      [&](const auto& w) { return hist(w.fr_fcfs); }, Band::peak());
  figures.of(
      "hist_gups", "bandwidth of hist, fr_rr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth",
      [&](const auto& w) { return hist(w.fr_rr_fcfs); }, Band::peak());
  figures.of(
      "hist_gups", "bandwidth of hist, times fr_fcfs", "fr_rr_fcfs.hist_gups.hist_bandwidth_over_fr_fcfs",
      [&](const auto& w) { return hist(w.fr_rr_fcfs) / hist(w.fr_fcfs); }, Band::peak());
}

/// Sections 4.1 and 5, what is said of all workloads.
void improvement_claims(const WorkloadOutcomes& workloads, std::vector<Figure>& out) {
  Figures figures(workloads, out);
  figures.number("mean: fairness index lower by", "fr_rr_fcfs.fairness_index_lower.mean",
                 mean(workloads, fairness_gain), Band::table());
  figures.number("mean: page hit rate lost", "fr_rr_fcfs.page_hit_rate_lost", mean(workloads, hits_lost),
                 Band::below(0.01));
  figures.number("mean: instruction throughput over fr_fcfs", "fr_rr_fcfs.mean_performance",
                 mean(workloads, throughput), Band::above(1));
  figures.number("mean: weighted speedup over fr_fcfs", "fr_rr_fcfs.mean_performance", mean(workloads, speedup),
                 Band::above(1));
  figures.exact("largest gain in fairness", "fr_rr_fcfs.fairness_index_lower.largest",
                largest(workloads, fairness_gain));
  figures.exact("largest gain in instruction throughput", "fr_rr_fcfs.instruction_throughput.largest",
                largest(workloads, throughput));
  figures.exact("largest gain in weighted speedup", "fr_rr_fcfs.weighted_speedup.largest", largest(workloads, speedup));
  std::string losers;
  for (const WorkloadOutcome& w : workloads) {
    if (speedup(w) < 0.99) losers += (losers.empty() ? "" : ", ") + w.name();
  }
  figures.exact("weighted speedup falls by more than 1 %", "fr_rr_fcfs.weighted_speedup.lower",
                losers.empty() ? "none" : losers);
  for (const char* application : {"gups", "bfs"}) {
    const Condition in = [&](const auto& w) {
      return place_of(application, w) && (application != std::string("bfs") || !place_of("gups", w));
    };
    figures.exact(fmt::format("less bandwidth for {}", application),
                  fmt::format("fr_rr_fcfs.less_dominant.{}", application), count(workloads, in, [&](const auto& w) {
                    const std::size_t place = *place_of(application, w);
                    return w.fr_rr_fcfs.applications[place].useful < w.fr_fcfs.applications[place].useful;
                  }));
  }
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
  baseline_figures(results, report.figures);
  if (!options.quick) baseline_claims(results.workloads, report.figures);
  improvement_figures(results.workloads, report.figures);
  if (!options.quick) improvement_claims(results.workloads, report.figures);
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
