/// Table 2 of fr-rr-fcfs: how much of the DRAM bandwidth each application uses alone, on all 60 SMs, which is what the
/// applications were fitted to; and on 30, which nothing was fitted to.
#include <fmt/format.h>

#include <cmath>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"

namespace gputlm {
namespace {

struct Table2Row {
  const char* application;
  double bandwidth;
};
constexpr Table2Row kTable2[] = {{"hist", 0.50}, {"gauss", 0.70}, {"gups", 0.93},
                                 {"bfs", 0.79},  {"3ds", 0.85},   {"dgemm", 0.34}};
constexpr double kWithin = 0.03;
constexpr double kHistOn30 = 0.33;  // section 5.1

}  // namespace

ExperimentReport fr_rr_fcfs_alone(const ExperimentOptions& options) {
  std::vector<MemoryRun> runs;
  for (const Table2Row& row : kTable2) {
    runs.push_back({{row.application}});
    if (!options.quick) runs.push_back({{row.application}, "fr_fcfs", 0, 30});
  }
  const auto outcomes = run_memory(runs, options.seed, options.parallel);

  ExperimentReport report;
  report.text = fmt::format("Shares of DRAM cycles, under fr_fcfs\n{:<6} {:>4} {:>7} {:>7} {:>7} {:>9} {:>8} {:>9}\n",
                            "", "SMs", "useful", "wasted", "idle", "row hits", "IPC", "cycles");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const MemoryOutcome& o = outcomes[i];
    report.text +=
        fmt::format("{:<6} {:>4} {:>7.3f} {:>7.3f} {:>7.3f} {:>9.3f} {:>8.1f} {:>9}\n", runs[i].applications[0],
                    runs[i].sms, o.useful(), o.wasted, o.idle, o.row_hit_rate, o.applications[0].ipc, o.cycles);
    if (runs[i].sms != 60) {
      if (runs[i].applications[0] == "hist") {
        report.figures.push_back(compared_figure("hist: bandwidth on 30 SMs", fmt::format("{:.2f}", kHistOn30),
                                                 fmt::format("{:.3f}", o.useful()),
                                                 "it waits for memory: as many warps on 30 SMs as on 60"));
      }
      continue;
    }
    const Table2Row& row = kTable2[options.quick ? i : i / 2];
    report.figures.push_back({fmt::format("{}: bandwidth alone", row.application), fmt::format("{:.2f}", row.bandwidth),
                              fmt::format("{:.3f}", o.useful()), fmt::format("within {:.2f}", kWithin),
                              std::abs(o.useful() - row.bandwidth) <= kWithin, "fitted"});
  }
  return report;
}

}  // namespace gputlm
