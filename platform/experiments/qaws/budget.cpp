/// What qaws leaves to future work (section V-B): the response time of K2 as a function of its budget.
#include <fmt/format.h>

#include "platform/experiments/experiments.h"
#include "platform/experiments/qaws/runs.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/chart_files.h"

namespace gputlm {
namespace {

double share(Cycle cycles, Cycle of) { return static_cast<double>(cycles) / static_cast<double>(of); }

}  // namespace

/// Two instances of each program; K1 has a budget of 1. With 1 for K2 as well there is one group, and QAWS is GTO
/// (section IV-A).
ExperimentReport qaws_budget(const ExperimentOptions& options, const std::string& policy) {
  std::vector<std::string> programs(kQawsPrograms.begin(), kQawsPrograms.end());
  std::vector<unsigned> budgets{1, 2, 4, 8, 16, 32, 64};
  if (options.quick) {
    programs = {"pc", "mm"};
    budgets = {1, 8, 64};
  }
  std::vector<QawsRun> runs;
  for (const std::string& name : programs) {
    runs.push_back({{{name}, {name}}, "lrr"});
    runs.push_back({{{name}, {name}}, "gto"});
    for (const unsigned budget : budgets) runs.push_back({{{name, 1}, {name, budget}}, policy});
  }
  const std::vector<QawsOutcome> outcomes = run_qaws(runs, options);
  ExperimentReport report;
  report.text = fmt::format("{:<6} {:<3} {:>6}", "", "", "gto");
  for (const unsigned budget : budgets) report.text += fmt::format(" {:>6}", budget);
  report.text += '\n';
  std::string csv = "program,policy,k2_budget,k1_response_cycles,k2_response_cycles\n";
  LineChart::Panel chart{"budget of K2 (K1: 1)", "response time of K2 over that under LRR"};
  chart.doubling = true;
  std::size_t same_as_gto = 0, lower = 0;
  auto at = outcomes.begin();
  for (std::size_t p = 0; p < programs.size(); ++p) {
    const std::string& name = programs[p];
    const QawsOutcome &lrr = *at++, &gto = *at++;
    const auto first = at;
    LineChart::Line& line = chart.lines.emplace_back(LineChart::Line{name, {}});
    for (std::size_t k = 0; k < 2; ++k) {
      report.text += fmt::format("{:<6} {:<3} {:>6.3f}", k == 0 ? name : std::string(), k == 0 ? "K1" : "K2",
                                 share(gto.response[k], lrr.response[k]));
      for (std::size_t b = 0; b < budgets.size(); ++b) {
        report.text +=
            fmt::format(" {:>6.3f}", share(first[static_cast<std::ptrdiff_t>(b)].response[k], lrr.response[k]));
      }
      report.text += '\n';
    }
    csv += fmt::format("{},lrr,1,{},{}\n{},gto,1,{},{}\n", name, lrr.response[0], lrr.response[1], name,
                       gto.response[0], gto.response[1]);
    for (std::size_t b = 0; b < budgets.size(); ++b, ++at) {
      csv += fmt::format("{},{},{},{},{}\n", name, policy, budgets[b], at->response[0], at->response[1]);
      line.points.emplace_back(budgets[b], share(at->response[1], lrr.response[1]));
    }
    same_as_gto += first->response == gto.response;
    lower += (at - 1)->response[1] <= first->response[1];
  }
  report.text += "Response times over those under lrr, by the budget of K2; K1 has a budget of 1.\n\n";
  const std::string all = fmt::format("{0} of {0}", programs.size());
  const auto of_all = [&](std::size_t n) { return fmt::format("{} of {}", n, programs.size()); };
  report.figures.push_back(exact_figure("equal budgets: the same as GTO, cycle by cycle", all, of_all(same_as_gto)));
  report.figures.push_back(
      compared_figure("K2 no later with the largest budget than with equal ones", "", of_all(lower), ""));
  if (!options.out.empty()) {
    write_file(options.out + "/qaws-budget.csv", csv);
    write_chart(options.out + "/qaws-budget.svg", LineChart{"", {chart}});
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"qaws/budget", 404},
                     "The response time of the second of two kernels by its budget",
                     [](const ExperimentOptions& options) { return qaws_budget(options); }});
}

}  // namespace gputlm
