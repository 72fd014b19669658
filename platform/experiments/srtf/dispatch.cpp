/// What srtf's results depend on that it does not say: how many blocks are sent in a cycle (runs.h). Figures of both
/// readings, for what the reading decides: whether the second kernel finds room.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/matrix.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

/// Of the second kernel: until the last SM that gets blocks of it has the first.
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

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"srtf/dispatch", 506},
                     "The same with one block sent in a cycle, and with one to every SM (sections 6.1.3 and 6.2.3)",
                     srtf_dispatch});
}

ExperimentReport srtf_dispatch(const ExperimentOptions& options) {
  const Matrix all = matrix("srtf/dispatch", options.quick);
  const std::vector<std::string> orders = all.values("work_distributor.kernel_order");
  const Matrix::Workloads workloads = all.workloads();
  const SrtfPair pair{ercbench_index(workloads.at(1).at(0)), ercbench_index(workloads.at(1).at(1))};
  std::vector<std::size_t> kernels;
  for (const std::string& name : workloads.at(0)) kernels.push_back(ercbench_index(name));

  ExperimentReport report;
  std::vector<SrtfOutcome> under_mpmax;
  for (const unsigned width : all.numbers("work_distributor.dispatch_width")) {
    SrtfRuns runs(kernels, options, width);
    const SrtfTable table = run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; });
    SrtfRuns of_pair({pair[0], pair[1]}, options, width);
    for (const std::string& order : orders) of_pair.add({pair, order});
    of_pair.run();
    report.text += fmt::format("{} in a cycle\n{}{:<20} {:>6} {:>6} {:>9}\n",
                               width == 1 ? "One block" : fmt::format("{} blocks", width), summary_text(table),
                               name_of(pair), "STP", "ANTT", "fairness");
    for (const std::string& order : orders) {
      const SrtfOutcome outcome = of_pair[{pair, order}];
      report.text +=
          fmt::format("{:<20} {:>6.2f} {:>6.2f} {:>9.2f}\n", order, outcome.stp(), outcome.antt(), outcome.strictf());
      if (order == "mpmax") under_mpmax.push_back(outcome);
    }
    report.text += '\n';
  }
  const SrtfOutcome& outcome = under_mpmax.at(0);
  const BlockRecord& of_first = outcome.launches[0].blocks.front();
  const Cycle late = hand_over(outcome);
  report.figures.push_back(
      {fmt::format("{} under mpmax: cycles until {} is on every SM", name_of(pair), ercbench()[pair[1]].short_name),
       reference("srtf").at("dispatch.hand_over"), Quantity::number(static_cast<double>(late), 0),
       Band::trend("below a tenth of a block", late < (of_first.end - of_first.start) / 10), ""});
  return report;
}

}  // namespace gputlm
