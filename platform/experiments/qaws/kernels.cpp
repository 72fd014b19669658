/// Beyond the paper, which evaluates two kernels: three and four kernels side by side.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr unsigned kWarpsOfEach = 16;  // warps per kernel and SM: four kernels then fill all 64
constexpr std::array<unsigned, 4> kBudgetOf{1, 2, 4, 8};

using Programs = std::vector<std::string>;

/// The last kernel launched has the largest budget.
QawsRun side_by_side(const Programs& programs, const std::string& policy) {
  QawsRun run{{}, policy, {kWarpsOfEach}};
  for (std::size_t i = 0; i < programs.size(); ++i) run.kernels.push_back({programs[i], kBudgetOf[i]});
  return run;
}

ExperimentReport several_kernels(const Study& all, const ExperimentOptions& options) {
  const Study::Programs& sets = all.programs();
  const std::vector<std::string> policies = all.values("sm.warp_scheduler");
  QawsRuns runs(options);
  for (const Programs& programs : sets) {
    for (const std::string& policy : policies) runs.add(side_by_side(programs, policy));
  }
  runs.run();
  Table table({{"kernels"},
               {"policy"},
               {"kernel", "", "Its place among them, or their mean"},
               {"program"},
               {"budget"},
               {"response_cycles", "core cycles"},
               {"over_lrr", "", "Response time over that of K1 under LRR; mean over mean under LRR", "", 3}});
  std::size_t even = 0, last_better = 0, last_first = 0, by_budget = 0;
  for (const Programs& programs : sets) {
    const std::string name = fmt::format("{}", fmt::join(programs, "+"));
    const QawsOutcome lrr = runs[side_by_side(programs, "lrr")];
    for (const std::string& policy : policies) {
      const QawsOutcome outcome = runs[side_by_side(programs, policy)];
      const std::vector<Cycle>& response = outcome.response;
      table.add({name, policy, "mean", {}, {}, {}, outcome.mean() / lrr.mean()});
      for (std::size_t k = 0; k < response.size(); ++k) {
        table.add({name, policy, fmt::format("K{}", k + 1), programs[k], kBudgetOf[k], response[k],
                   ratio(response[k], lrr.response[0])});
      }
      even += outcome.even;
      if (policy == policies.back()) {
        last_better += response.back() < lrr.response.back();
        last_first += *std::min_element(response.begin(), response.end()) == response.back();
        by_budget += std::is_sorted(response.rbegin(), response.rend());
      }
    }
  }
  ExperimentReport report{"qaws"};
  report.all("as many warps of each kernel on every SM", even, sets.size() * policies.size());
  report.tables = {
      {"Response times over that of K1 under lrr, and their mean over that under lrr. Budgets from K1 to K4: 1, 2, 4, "
       "8",
       pivot(table, {"kernels", "policy"}, "kernel", {"over_lrr"}), "over-lrr",
       fmt::format("Of {} sets: the largest budget has a lower response time than under lrr in {}, the lowest of the "
                   "kernels in {}; the larger the budget, the lower the response time in {}.",
                   sets.size(), last_better, last_first, by_budget)},
      {"", table}};
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/kernels", several_kernels); }

}  // namespace
}  // namespace gputlm
