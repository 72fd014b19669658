/// A choice that affects srtf's results and that the paper does not state: how many blocks are sent per cycle (runs.h).
/// Compares both readings by what they decide: whether the second kernel finds room.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/experiments/srtf/table.h"
#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

/// Time until the last SM that gets blocks of the second kernel has its first one.
Cycle hand_over(const SrtfOutcome& outcome) {
  std::map<SmId, Cycle> first;
  for (const BlockRecord& block : outcome.launches[1].blocks) {
    const auto found = first.emplace(block.sm, block.start).first;
    found->second = std::min(found->second, block.start);
  }
  Cycle last = 0;
  for (const auto& [sm, start] : first) last = std::max(last, start);
  return last - outcome.launches[1].arrived;
}

ExperimentReport dispatch(const Study& all, const ExperimentOptions& options) {
  const std::vector<std::string> orders = all.values("work_distributor.kernel_order");
  const std::vector<std::string> of_pair_names = all.values("pair");
  const SrtfPair pair{ercbench_index(of_pair_names.at(0)), ercbench_index(of_pair_names.at(1))};

  ExperimentReport report{"srtf"};
  Table of_pair = srtf_means();
  std::vector<SrtfOutcome> under_mpmax;
  for (const unsigned width : all.numbers("work_distributor.dispatch_width")) {
    SrtfRuns runs(srtf_kernels(all), options, width);
    const std::string in_a_cycle = width == 1 ? "one block in a cycle" : fmt::format("{} blocks in a cycle", width);
    add_srtf_table(report, run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; }),
                   fmt::format("width-{}", width), ", " + in_a_cycle);
    SrtfRuns pair_runs({pair[0], pair[1]}, options, width);
    for (const std::string& order : orders) pair_runs.add({pair, order});
    pair_runs.run();
    for (const std::string& order : orders) {
      const SrtfOutcome outcome = pair_runs[{pair, order}];
      of_pair.add({order + ", " + in_a_cycle, outcome.stp(), outcome.antt(), outcome.strictf()});
      if (order == "mpmax") under_mpmax.push_back(outcome);
    }
  }
  report.tables.push_back({name_of(pair), of_pair, "pair"});
  const SrtfOutcome& outcome = under_mpmax.at(0);
  const BlockRecord& of_first = outcome.launches[0].blocks.front();
  const Cycle late = hand_over(outcome);
  report.trend(
      fmt::format("{} under mpmax: cycles until {} is on every SM", name_of(pair), ercbench()[pair[1]].short_name),
      "dispatch.hand_over", Quantity::number(static_cast<double>(late), 0), "below a tenth of a block",
      late < (of_first.end - of_first.start) / 10);
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/dispatch", dispatch, {"kernels", "pair"}); }

}  // namespace
}  // namespace gputlm
