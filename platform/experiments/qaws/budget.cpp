/// A question that qaws leaves to future work (section V-B): the response time of K2 as a function of its budget.
#include <fmt/format.h>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// Two instances of each program; K1 has a budget of 1. With 1 for K2 as well there is one group, and QAWS is GTO
/// (section IV-A).
ExperimentReport by_budget(const Study& all, const ExperimentOptions& options) {
  const std::vector<unsigned> budgets = all.numbers("budget");
  const std::string qaws = options.policy("qaws");
  const auto run_of = [](const std::string& program, const std::string& policy, unsigned budget = 1) {
    return QawsRun{{{program, 1}, {program, budget}}, policy};
  };
  QawsRuns runs(options);
  for (const auto& workload : all.programs()) {
    runs.add(run_of(workload.at(0), "lrr"));
    runs.add(run_of(workload.at(0), "gto"));
    for (const unsigned budget : budgets) runs.add(run_of(workload.at(0), qaws, budget));
  }
  runs.run();
  Table table({{"program"},
               {"kernel"},
               {"policy", "", "gto, or qaws with this budget of K2"},
               {"response_cycles", "core cycles", "From its arrival to the end of its last block"},
               {"over_lrr", "", "response time over that under LRR", "", 3}});
  Table chart({{"budget", "", "budget of K2 (K1: 1)"},
               {"program"},
               {"over_lrr", "", "response time of K2 over that under LRR"}});
  std::size_t same_as_gto = 0, lower = 0;
  for (const auto& workload : all.programs()) {
    const std::string& name = workload.at(0);
    const QawsOutcome lrr = runs[run_of(name, "lrr")], gto = runs[run_of(name, "gto")];
    const auto with = [&](unsigned budget) { return runs[run_of(name, qaws, budget)]; };
    const auto add = [&](const std::string& policy, const QawsOutcome& outcome, std::size_t k) {
      const double over = ratio(outcome.response[k], lrr.response[k]);
      table.add({name, k == 0 ? "K1" : "K2", policy, outcome.response[k], over});
      return over;
    };
    for (const std::size_t k : {0, 1}) {
      add("lrr", lrr, k);
      add("gto", gto, k);
      for (const unsigned budget : budgets) {
        const double over = add(std::to_string(budget), with(budget), k);
        if (k == 1) chart.add({budget, name, over});
      }
    }
    same_as_gto += with(budgets.front()).response == gto.response;
    lower += with(budgets.back()).response[1] <= with(budgets.front()).response[1];
  }
  ExperimentReport report{"qaws"};
  report.all("equal budgets: the same as GTO, cycle by cycle", same_as_gto, all.programs().size());
  report.tables = {{"Response times over those under lrr, by the budget of K2; K1 has a budget of 1",
                    pivot(table, {"program", "kernel"}, "policy", {"over_lrr"}), "over-lrr",
                    fmt::format("K2 is no later with the largest budget than with equal ones in {} of {}.", lower,
                                all.programs().size())},
                   {"", table}};
  report.charts = {{line_chart(chart, {"budget", "over_lrr", {"program"}, "", true})}};
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/budget", by_budget, {"budget"}); }

}  // namespace
}  // namespace gputlm
