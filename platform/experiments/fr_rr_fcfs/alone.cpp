/// Table 2 of fr-rr-fcfs: how much of the DRAM bandwidth each application uses alone, on all 60 SMs, which is what all
/// but GUPS and BFS were fitted to; and on 30, which nothing was fitted to.
#include <fmt/format.h>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/matrix.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

constexpr double kWithin = 0.03;

}  // namespace

ExperimentReport fr_rr_fcfs_alone(const ExperimentOptions& options) {
  const Reference& paper = reference("fr-rr-fcfs");
  std::vector<MemoryRun> runs;
  const Matrix all = matrix("fr-rr-fcfs/alone", options.quick);
  for (const auto& application : all.workloads()) {
    for (const unsigned sms : all.numbers("sms")) runs.push_back({application, "fr_fcfs", 0, sms});
  }
  const auto outcomes = run_memory(runs, options);

  ExperimentReport report;
  report.text = fmt::format("Shares of DRAM cycles, under fr_fcfs\n{:<6} {:>4} {:>7} {:>7} {:>7} {:>9} {:>8} {:>9}\n",
                            "", "SMs", "useful", "wasted", "idle", "row hits", "IPC", "cycles");
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const MemoryOutcome& o = outcomes.at(runs[i]);
    report.text +=
        fmt::format("{:<6} {:>4} {:>7.3f} {:>7.3f} {:>7.3f} {:>9.3f} {:>8.1f} {:>9}\n", runs[i].applications[0],
                    runs[i].sms, o.useful(), o.wasted, o.idle, o.row_hit_rate, o.applications[0].ipc, o.cycles);
    if (runs[i].sms != 60) {
      if (runs[i].applications[0] == "hist") {
        report.figures.push_back({"hist: bandwidth on 30 SMs", paper.at("bandwidth_alone_30.hist"),
                                  Quantity::number(o.useful(), 3), Band::table(), "not fitted"});
      }
      continue;
    }
    const std::string& name = runs[i].applications[0];
    report.figures.push_back({name + ": bandwidth alone", paper.at("bandwidth_alone." + name),
                              Quantity::number(o.useful(), 3), Band::within(kWithin),
                              name == "gups" || name == "bfs" ? "not fitted" : "fitted"});
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add(
      {{"fr-rr-fcfs/alone", 303}, "Bandwidth that six applications use alone (table 2)", fr_rr_fcfs_alone});
}

}  // namespace gputlm
