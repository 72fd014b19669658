/// Table 2 of fr-rr-fcfs: the share of DRAM bandwidth that each application uses alone, on all 60 SMs, to which all but GUPS
/// and BFS were fitted; and on 30 SMs, to which nothing was fitted.
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

constexpr double kWithin = 0.03;

ExperimentReport alone(const Study& all, const ExperimentOptions& options) {
  std::vector<MemoryRun> runs;
  for (const auto& application : all.programs()) {
    for (const unsigned sms : all.numbers("sms of it")) runs.push_back({application, "fr_fcfs", 0, sms});
  }
  const auto outcomes = run_memory(runs, options);
  ExperimentReport report{"fr-rr-fcfs"};
  Table table = memory_table({{"application"}, {"sms", "", "", "SMs"}});
  for (const MemoryRun& run : runs) {
    const std::string& name = run.applications[0];
    const double useful = outcomes.at(run).useful();
    add_run(table, {name, run.sms}, outcomes.at(run));
    if (run.sms == 60) {
      report.number(name + ": bandwidth alone", "bandwidth_alone." + name, useful, 3, Band::within(kWithin),
                    name == "gups" || name == "bfs" ? "not fitted" : "fitted");
    } else if (name == "hist") {
      report.number("hist: bandwidth on 30 SMs", "bandwidth_alone_30.hist", useful, 3, Band::table(), "not fitted");
    }
  }
  report.tables = {{"Shares of DRAM cycles, under fr_fcfs", table}};
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/alone", alone, {"sms of it"}); }

}  // namespace
}  // namespace gputlm
