/// The 14 workloads of fr-rr-fcfs: two applications side by side under FR-FCFS and under FR-RR-FCFS (figures 2 to 4 and
/// 6 to 10).
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "platform/experiments/fr_rr_fcfs/runs.h"

namespace gputlm {
namespace {

double hits_lost(const WorkloadOutcome& w) { return w.fr_fcfs.row_hit_rate - w.fr_rr_fcfs.row_hit_rate; }
double index(const WorkloadOutcome& w) { return w.fr_fcfs_metrics.fairness_index; }
double weighted_speedup(const WorkloadOutcome& w) { return w.fr_fcfs_metrics.weighted_speedup; }
template <std::size_t kPlace>
double speed(const WorkloadOutcome& w) {
  return w.fr_fcfs_metrics.slowdown[kPlace];
}
double first_useful(const MemoryOutcome& o) { return o.applications[0].useful; }

using Condition = std::function<bool(const WorkloadOutcome&)>;

std::string largest(const WorkloadOutcomes& workloads, const Measure& measure) {
  return std::max_element(workloads.begin(), workloads.end(),
                          [&](const auto& a, const auto& b) { return measure(a) < measure(b); })
      ->name();
}

/// Index of `application` in a workload; none if it is not part of it.
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

/// Figures of single workloads; those that did not run are left out.
class Single {
 public:
  Single(const WorkloadOutcomes& workloads, ExperimentReport& report) : workloads_(workloads), report_(report) {}

  void of(const std::string& workload, const std::string& what, const std::string& key, const Measure& ours,
          Band band) {
    const auto found = std::find_if(workloads_.begin(), workloads_.end(),
                                    [&](const WorkloadOutcome& w) { return w.name() == workload; });
    if (found != workloads_.end()) report_.number(workload + ": " + what, key, ours(*found), 3, std::move(band));
  }

 private:
  const WorkloadOutcomes& workloads_;
  ExperimentReport& report_;
};

/// Section 3: FR-FCFS, two workloads of it in numbers.
void baseline_figures(const WorkloadResults& results, ExperimentReport& report) {
  Single figures(results.workloads, report);
  const std::string key = "fr_fcfs.gups_dgemm.", name = "gups_dgemm";
  const auto over_alone = [&](const WorkloadOutcome& w) {
    return first_useful(w.fr_fcfs) / results.alone.at("gups").on_60.useful();
  };
  const auto of_second = [](const WorkloadOutcome& w) { return w.fr_fcfs.applications[1].useful; };
  figures.of(name, "fairness index", key + "fairness_index", index, Band::peak());
  figures.of(name, "gups, IPC shared over alone", key + "gups_relative_speed", speed<0>, Band::table());
  figures.of(name, "dgemm, IPC shared over alone", key + "dgemm_relative_speed", speed<1>, Band::peak());
  figures.of(name, "bandwidth of gups over alone", key + "gups_bandwidth_over_alone", over_alone, Band::table());
  figures.of(name, "bandwidth of dgemm", key + "dgemm_bandwidth", of_second, Band::peak());
  for (const std::string workload : {"hist_dgemm", "gauss_gups", "gups_dgemm"})
    figures.of(workload, "weighted speedup", "fr_fcfs.weighted_speedup." + workload, weighted_speedup, Band::table());
}

/// Section 3: claims about all workloads.
void baseline_claims(const WorkloadOutcomes& workloads, ExperimentReport& report) {
  const Condition all = [](const auto&) { return true; };
  const Condition with_gups = [](const auto& w) { return place_of("gups", w).has_value(); };
  const Condition without_gups = [&](const auto& w) { return !with_gups(w); };
  const auto mean_of = [&](const Measure& measure, const Condition& of) {
    WorkloadOutcomes some;
    std::copy_if(workloads.begin(), workloads.end(), std::back_inserter(some), of);
    return mean(some, measure);
  };
  report.equal("fr_fcfs: least fair", "fr_fcfs.least_fair", largest(workloads, index));
  const auto unfair = std::count_if(workloads.begin(), workloads.end(), [](const auto& w) { return index(w) > 1.1; });
  report.trend("fr_fcfs: fairness index above 1.1", "fr_fcfs.unfair", fmt::format("{} of {}", unfair, workloads.size()),
               "most", 2 * static_cast<std::size_t>(unfair) > workloads.size());
  double others = 0;  // the fairest of those that the paper calls very unfair
  for (const WorkloadOutcome& w : workloads) {
    if (w.name() == "gups_3ds" || w.name() == "gauss_gups") others = others > 0 ? std::min(others, index(w)) : index(w);
  }
  Single(workloads, report)
      .of(
          "hist_dgemm", "fairness index over that of gups_3ds and gauss_gups", "fr_fcfs.balanced",
          [&](const auto& w) { return index(w) / others; }, Band::below(1));
  report.equal("fr_fcfs: GUPS has most of the bandwidth", "fr_fcfs.beside_gups",
               count(workloads, with_gups, [](const auto& w) {
                 const std::size_t gups = *place_of("gups", w);
                 return w.fr_fcfs.applications[gups].useful > w.fr_fcfs.applications[1 - gups].useful;
               }));
  report.equal("fr_fcfs: slowed down more than GUPS beside it", "fr_fcfs.beside_gups",
               count(workloads, with_gups, [](const auto& w) {
                 const std::size_t gups = *place_of("gups", w);
                 return w.fr_fcfs_metrics.slowdown[1 - gups] < w.fr_fcfs_metrics.slowdown[gups];
               }));
  report.equal("fr_fcfs: largest weighted speedup", "fr_fcfs.weighted_speedup.largest",
               largest(workloads, weighted_speedup));
  report.equal("fr_fcfs: weighted speedup above 1", "fr_fcfs.weighted_speedup.above_1",
               count(workloads, all, [](const auto& w) { return weighted_speedup(w) > 1; }));
  report.number("fr_fcfs: mean weighted speedup with GUPS, over that of the others",
                "fr_fcfs.weighted_speedup.with_gups",
                mean_of(weighted_speedup, with_gups) / mean_of(weighted_speedup, without_gups), 3, Band::below(1));
}

/// Section 5: FR-RR-FCFS over FR-FCFS, single workloads.
void improvement_figures(const WorkloadOutcomes& workloads, ExperimentReport& report) {
  Single figures(workloads, report);
  const std::string key = "fr_rr_fcfs.";
  for (const std::string workload : {"hist_gups", "gups_3ds", "gauss_bfs", "hist_bfs"}) {
    figures.of(workload, "fairness index lower by", key + "fairness_index_lower." + workload, fairness_gain,
               Band::peak());
  }
  figures.of("hist_gups", "instruction throughput over fr_fcfs", key + "instruction_throughput.hist_gups", throughput,
             Band::peak());
  figures.of("hist_gups", "weighted speedup over fr_fcfs", key + "weighted_speedup.hist_gups", speedup, Band::table());
  for (const char* workload : {"hist_gups", "hist_bfs", "gauss_gups", "gups_3ds"}) {
    figures.of(workload, "gains instruction throughput", key + "both_higher", throughput, Band::above(1));
    figures.of(workload, "gains weighted speedup", key + "both_higher", speedup, Band::above(1));
  }
  for (const std::string workload : {"hist_gauss", "hist_3ds"}) {
    figures.of(workload, "loses a little weighted speedup", key + "weighted_speedup." + workload, speedup,
               Band::range(0.95, 0.99, 2));
  }
  const auto before = [](const WorkloadOutcome& w) { return first_useful(w.fr_fcfs); };
  const auto after = [](const WorkloadOutcome& w) { return first_useful(w.fr_rr_fcfs); };
  const auto gain = [&](const WorkloadOutcome& w) { return after(w) / before(w); };
  figures.of("hist_gups", "bandwidth of hist, fr_fcfs", key + "hist_gups.hist_bandwidth_under_fr_fcfs", before,
             Band::peak());
  figures.of("hist_gups", "bandwidth of hist, fr_rr_fcfs", key + "hist_gups.hist_bandwidth", after, Band::peak());
  figures.of("hist_gups", "bandwidth of hist, times fr_fcfs", key + "hist_gups.hist_bandwidth_over_fr_fcfs", gain,
             Band::peak());
}

/// Sections 4.1 and 5: claims about all workloads.
void improvement_claims(const WorkloadOutcomes& workloads, ExperimentReport& report) {
  const std::string key = "fr_rr_fcfs.";
  const auto mean_of = [&](const char* name, const char* paper, const Measure& measure, Band band) {
    report.number(name, key + paper, mean(workloads, measure), 3, std::move(band));
  };
  mean_of("mean: fairness index lower by", "fairness_index_lower.mean", fairness_gain, Band::table());
  mean_of("mean: page hit rate lost", "page_hit_rate_lost", hits_lost, Band::below(0.01));
  mean_of("mean: instruction throughput over fr_fcfs", "mean_performance", throughput, Band::above(1));
  mean_of("mean: weighted speedup over fr_fcfs", "mean_performance", speedup, Band::above(1));
  report.equal("largest gain in fairness", key + "fairness_index_lower.largest", largest(workloads, fairness_gain));
  report.equal("largest gain in instruction throughput", key + "instruction_throughput.largest",
               largest(workloads, throughput));
  report.equal("largest gain in weighted speedup", key + "weighted_speedup.largest", largest(workloads, speedup));
  std::string losers;
  for (const WorkloadOutcome& w : workloads) {
    if (speedup(w) < 0.99) losers += (losers.empty() ? "" : ", ") + w.name();
  }
  report.equal("weighted speedup falls by more than 1 %", key + "weighted_speedup.lower",
               losers.empty() ? "none" : losers);
  for (const std::string application : {"gups", "bfs"}) {
    const Condition in = [&](const auto& w) {
      return place_of(application, w) && (application != "bfs" || !place_of("gups", w));
    };
    report.equal("less bandwidth for " + application, key + "less_dominant." + application,
                 count(workloads, in, [&](const auto& w) {
                   const std::size_t place = *place_of(application, w);
                   return w.fr_rr_fcfs.applications[place].useful < w.fr_fcfs.applications[place].useful;
                 }));
  }
}

/// Figures 4 and 8 in one: for each workload the bars of both applications alone on 60 and on 30 SMs, and of the two together
/// under both schedulers; from bottom to top: first application, second, wasted, idle.
Chart bandwidth_chart(const WorkloadResults& results) {
  StackedBarChart chart{"share of DRAM cycles",
                        {{"1st application", colours::kBlue},
                         {"2nd application", colours::kOrange},
                         {"wasted", colours::kGrey},
                         {"idle", colours::kLightGrey}},
                        {}};
  for (const WorkloadOutcome& w : results.workloads) {
    std::vector<StackedBarChart::Bar>& bars = chart.groups.emplace_back(StackedBarChart::Group{w.name(), {}}).bars;
    const auto alone = [&](const std::string& name, std::size_t place) {
      const AloneOutcome& a = results.alone.at(name);
      for (const auto& [sms, o] : {std::pair{"60", &a.on_60}, {"30", &a.on_30}}) {
        bars.push_back({name + " alone " + sms, {0, 0, o->wasted, o->idle}});
        bars.back().parts[place] = o->useful();
      }
    };
    alone(w.first, 0);
    alone(w.second, 1);
    for (const auto& [name, o] : {std::pair{"fr_fcfs", &w.fr_fcfs}, {"fr_rr_fcfs", &w.fr_rr_fcfs}})
      bars.push_back({name, {o->applications[0].useful, o->applications[1].useful, o->wasted, o->idle}});
  }
  return chart;
}

ExperimentReport workloads(const ExperimentOptions& options) {
  const WorkloadResults results = run_workloads(memory_workloads(options), {0}, AloneOn::k60And30, options).front();
  ExperimentReport report{"fr-rr-fcfs"};
  Table runs = memory_table({{"workload"}, {"scheduler"}, {"sms", "", "", "SMs"}}), gains = gains_table({{"workload"}});
  for (const auto& [name, alone] : results.alone) {
    add_run(runs, {name, "fr_fcfs", 60}, alone.on_60);
    add_run(runs, {name, "fr_fcfs", 30}, alone.on_30);
  }
  for (const WorkloadOutcome& w : results.workloads) {
    add_run(runs, {w.name(), "fr_fcfs", 60}, w.fr_fcfs, w.fr_fcfs_metrics);
    add_run(runs, {w.name(), "fr_rr_fcfs", 60}, w.fr_rr_fcfs, w.fr_rr_fcfs_metrics);
    add_gains(gains, {w.name()}, w);
  }
  report.tables = {{"Shares of DRAM cycles (figures 4 and 8), instructions a cycle, IPC shared over IPC alone, WS: "
                    "weighted speedup, FI: fairness index",
                    runs},
                   {"fr_rr_fcfs over fr_fcfs; IT: instruction throughput", gains, "gains"}};
  report.charts = {{bandwidth_chart(results)}};
  baseline_figures(results, report);
  if (!options.quick) baseline_claims(results.workloads, report);
  improvement_figures(results.workloads, report);
  if (!options.quick) improvement_claims(results.workloads, report);
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/workloads", workloads); }

}  // namespace
}  // namespace gputlm
