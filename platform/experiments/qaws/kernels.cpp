/// Beyond the paper, which evaluates two kernels: three and four side by side.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/qaws/qaws.h"
#include "platform/experiments/qaws/runs.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr unsigned kWarpsOfEach = 16;  // of each kernel on every SM: four kernels then have all 64
constexpr std::array<unsigned, 4> kBudgetOf{1, 2, 4, 8};

using Programs = std::vector<std::string>;

/// The kernel launched last has the largest budget.
QawsRun run_of(const Programs& programs, const std::string& policy) {
  QawsRun run{{}, policy, {kWarpsOfEach}};
  for (std::size_t i = 0; i < programs.size(); ++i) run.kernels.push_back({programs[i], kBudgetOf[i]});
  return run;
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"qaws/kernels", 405},
                     "Three and four kernels under four warp schedulers",
                     [](const ExperimentOptions& options) { return qaws_kernels(options); }});
}

ExperimentReport qaws_kernels(const ExperimentOptions& options, const std::string& policy) {
  const Matrix all = matrix("qaws/kernels", options.quick);
  const Matrix::Workloads sets = all.workloads();
  const std::vector<std::string> policies = all.values("sm.warp_scheduler", "qaws", policy);
  QawsRuns runs(options);
  for (const Programs& programs : sets) {
    for (const std::string& p : policies) runs.add(run_of(programs, p));
  }
  runs.run();
  ExperimentReport report;
  report.text =
      fmt::format("{:<20} {:<10} {:>6} {:>6} {:>6} {:>6}  {:>6}\n", "kernels", "", "K1", "K2", "K3", "K4", "mean");
  std::string csv = "kernels,policy,kernel,program,budget,response_cycles\n";
  std::size_t even = 0, last_better = 0, last_first = 0, by_budget = 0;
  for (const Programs& programs : sets) {
    const std::string name = fmt::format("{}", fmt::join(programs, "+"));
    const QawsOutcome lrr = runs[run_of(programs, "lrr")];
    for (const std::string& p : policies) {
      const QawsOutcome outcome = runs[run_of(programs, p)];
      const std::vector<Cycle>& response = outcome.response;
      report.text += fmt::format("{:<20} {:<10}", p == policies.front() ? name : "", p);
      for (std::size_t k = 0; k < kBudgetOf.size(); ++k) {
        if (k >= response.size()) {
          report.text += fmt::format(" {:>6}", "");
          continue;
        }
        report.text += fmt::format(" {:>6.3f}", ratio(response[k], lrr.response[0]));
        csv += fmt::format("{},{},{},{},{},{}\n", name, p, k + 1, programs[k], kBudgetOf[k], response[k]);
      }
      report.text += fmt::format("  {:>6.3f}\n", outcome.mean() / lrr.mean());
      even += outcome.even;
      if (p == policies.back()) {
        last_better += response.back() < lrr.response.back();
        last_first += *std::min_element(response.begin(), response.end()) == response.back();
        by_budget += std::is_sorted(response.rbegin(), response.rend());
      }
    }
  }
  report.text +=
      "Response times over that of K1 under lrr, and their mean over that under lrr. Budgets from K1 to K4: 1, 2, 4, "
      "8.\n\n";
  report.text += fmt::format(
      "Of {} sets: the largest budget has a lower response time than under lrr in {}, the lowest of the kernels in {}; "
      "the larger the budget,\nthe lower the response time in {}.\n\n",
      sets.size(), last_better, last_first, by_budget);
  const auto of = [](std::size_t n, std::size_t whole) { return fmt::format("{} of {}", n, whole); };
  const std::size_t count = sets.size() * policies.size();
  report.figures = {{"as many warps of each kernel on every SM", of(count, count), of(even, count), Band::exact(), ""}};
  if (!options.out.empty()) write_file(options.out + "/qaws-kernels.csv", csv);
  return report;
}

}  // namespace gputlm
