/// What qaws leaves to future work (section V-B): the response time of K2 as a function of its budget.
#include <fmt/format.h>

#include "platform/experiments/qaws/qaws.h"
#include "platform/experiments/qaws/runs.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

QawsRun run_of(const std::string& program, const std::string& policy, unsigned k2_budget = 1) {
  return {{{program, 1}, {program, k2_budget}}, policy};
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"qaws/budget", 404},
                     "The response time of the second of two kernels by its budget",
                     [](const ExperimentOptions& options) { return qaws_budget(options); }});
}

/// Two instances of each program; K1 has a budget of 1. With 1 for K2 as well there is one group, and QAWS is GTO
/// (section IV-A).
ExperimentReport qaws_budget(const ExperimentOptions& options, const std::string& policy) {
  const Matrix all = matrix("qaws/budget", options.quick);
  const std::vector<unsigned> budgets = all.numbers("budget");
  std::vector<std::string> programs;
  for (const auto& workload : all.workloads()) programs.push_back(workload.at(0));
  QawsRuns runs(options);
  for (const std::string& name : programs) {
    runs.add(run_of(name, "lrr"));
    runs.add(run_of(name, "gto"));
    for (const unsigned budget : budgets) runs.add(run_of(name, policy, budget));
  }
  runs.run();
  ExperimentReport report;
  report.text = fmt::format("{:<6} {:<3} {:>6}", "", "", "gto");
  for (const unsigned budget : budgets) report.text += fmt::format(" {:>6}", budget);
  report.text += '\n';
  std::string csv = "program,policy,k2_budget,k1_response_cycles,k2_response_cycles\n";
  LineChart::Panel chart{"budget of K2 (K1: 1)", "response time of K2 over that under LRR"};
  chart.doubling = true;
  std::size_t same_as_gto = 0, lower = 0;
  for (const std::string& name : programs) {
    const QawsOutcome lrr = runs[run_of(name, "lrr")], gto = runs[run_of(name, "gto")];
    const auto with = [&](unsigned budget) { return runs[run_of(name, policy, budget)]; };
    LineChart::Line& line = chart.lines.emplace_back(LineChart::Line{name, {}});
    for (std::size_t k = 0; k < 2; ++k) {
      report.text += fmt::format("{:<6} {:<3} {:>6.3f}", k == 0 ? name : std::string(), k == 0 ? "K1" : "K2",
                                 ratio(gto.response[k], lrr.response[k]));
      for (const unsigned budget : budgets)
        report.text += fmt::format(" {:>6.3f}", ratio(with(budget).response[k], lrr.response[k]));
      report.text += '\n';
    }
    csv += fmt::format("{},lrr,1,{},{}\n{},gto,1,{},{}\n", name, lrr.response[0], lrr.response[1], name,
                       gto.response[0], gto.response[1]);
    for (const unsigned budget : budgets) {
      const std::vector<Cycle> response = with(budget).response;
      csv += fmt::format("{},{},{},{},{}\n", name, policy, budget, response[0], response[1]);
      line.points.emplace_back(budget, ratio(response[1], lrr.response[1]));
    }
    same_as_gto += with(budgets.front()).response == gto.response;
    lower += with(budgets.back()).response[1] <= with(budgets.front()).response[1];
  }
  report.text += fmt::format(
      "Response times over those under lrr, by the budget of K2; K1 has a budget of 1. K2 is no later with the largest "
      "budget than with\nequal ones in {} of {}.\n\n",
      lower, programs.size());
  report.figures = {{"equal budgets: the same as GTO, cycle by cycle", fmt::format("{0} of {0}", programs.size()),
                     fmt::format("{} of {}", same_as_gto, programs.size()), Band::exact(), ""}};
  if (!options.out.empty()) {
    write_file(options.out + "/qaws-budget.csv", csv);
    write_chart(options.out + "/qaws-budget.svg", LineChart{"", {chart}});
  }
  return report;
}

}  // namespace gputlm
