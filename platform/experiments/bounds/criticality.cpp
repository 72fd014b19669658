/// The share of random task sets of two levels of criticality that is schedulable, by analysis and by simulation, for each
/// treatment of the lower level. Also checks that no simulated response exceeds its bound, in either mode.
#include <fmt/format.h>

#include "platform/experiments/bounds/set_run.h"
#include "platform/lab/experiment.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

SetRun level_set_run(const Study& plan, const std::string& way, unsigned utilisation, std::uint64_t seed) {
  SetRun run;
  run.config = plan.config_with({});
  run.spec = task_set_spec(plan, utilisation);
  run.spec.hi_share = plan.number("hi_percent") / 100.0;
  run.spec.hi_factor = plan.number("hi_factor");
  run.spec.overrun = plan.number("overrun_percent") / 100.0;
  run.spec.priorities =
      way == "criticality_first" ? TaskSetSpec::Priorities::kCriticality : TaskSetSpec::Priorities::kRate;
  run.spec.in_hi_mode = way == "kept" ? InHiMode::kKeep : InHiMode::kDrop;
  run.seed = seed;
  run.longest_periods = plan.number("longest_periods");
  return run;
}

/// A curve of the picture: the sets that it counts, and the treatment.
struct Curve {
  const char* name;
  const char* way;
  std::uint64_t SetShare::*counts;
};
constexpr Curve kCurves[] = {
    {"AMC-rtb: level lo is dropped in mode hi", "dropped", &SetShare::by_analysis},
    {"static: level lo is kept in mode hi", "kept", &SetShare::by_analysis},
    {"level hi is always more urgent", "criticality_first", &SetShare::by_analysis},
    {"budgets of level hi for all of level lo", "kept", &SetShare::whatever_the_mode},
    {"simulated, level lo dropped", "dropped", &SetShare::by_simulation},
};

ExperimentReport criticality(const Study& all, const ExperimentOptions& options) {
  const SetShares shares = shares_of_sets(
      all, "way",
      [&](const std::string& way, unsigned utilisation) { return level_set_run(all, way, utilisation, options.seed); },
      options.jobs());
  Table table({{"curve"},
               {"utilisation", "", "Utilisation of the whole GPU by all tasks, in level lo", "", 2},
               {"sets"},
               {"share", "", "Share of schedulable sets", "", 3},
               {"low", "", "Begin of Wilson's confidence interval of 95 %", "", 3},
               {"high", "", "Its end", "", 3}});
  LineChart chart{"", {{"utilisation in level lo", "schedulable sets"}}};
  for (const Curve& curve : kCurves) {
    LineChart::Line line{curve.name, {}};
    for (const unsigned percent : all.numbers("utilisation_percent")) {
      const SetShare& share = shares.at({curve.way, percent});
      const std::uint64_t schedulable = share.*curve.counts;
      const double part = ratio(static_cast<double>(schedulable), static_cast<double>(share.sets));
      const ShareInterval interval = wilson(schedulable, share.sets);
      table.add({curve.name, percent / 100.0, share.sets, part, interval.low, interval.high});
      line.points.push_back({percent / 100.0, part});
      line.intervals.push_back({interval.low, interval.high});
    }
    chart.panels.front().lines.push_back(std::move(line));
  }
  Table modes({{"way"},
               {"utilisation", "", "", "", 2},
               {"responses", "", "Responses of jobs that have a bound in their mode"},
               {"above", "", "Responses above the bound"},
               {"dropped", "", "Share of jobs of level lo that did not begin", "", 3}});
  SetShare sum;
  std::uint64_t more = 0, all_points = 0;
  for (const auto& [key, share] : shares) {
    modes.add({key.first, key.second / 100.0, share.bounded, share.above,
               ratio(static_cast<double>(share.dropped), static_cast<double>(share.lo_jobs))});
    sum.add(share);
  }
  for (const unsigned percent : all.numbers("utilisation_percent")) {
    const SetShare& kept = shares.at({"kept", percent});
    ++all_points;
    more +=
        shares.at({"dropped", percent}).by_analysis >= kept.by_analysis && kept.by_analysis >= kept.whatever_the_mode;
  }
  ExperimentReport report;
  report.tables = {{"Random task sets of two levels of criticality: which share is schedulable", table},
                   {"Responses and their bounds, and jobs that were dropped", modes, "modes"}};
  report.charts = {{chart}};
  report.all("responses no longer than their bounds, in their modes", sum.bounded - sum.above, sum.bounded);
  report.all("sets that the analysis accepts and no job of which misses a deadline that its mode guarantees",
             sum.by_analysis - sum.accepted_and_missed, sum.by_analysis);
  report.all("utilisations at which dropping accepts no fewer sets than keeping, and that no fewer than budgets of hi",
             more, all_points);
  return report;
}

GPUTLM_REGISTER {
  add_experiment("bounds/criticality", criticality,
                 {"way", "utilisation_percent", "sets", "tasks", "period_us", "block_us", "hi_percent", "hi_factor",
                  "overrun_percent", "longest_periods"});
}

}  // namespace
}  // namespace gputlm
