/// Row hits go first without limit (fr-rr-fcfs, section 4.1, priority 1): how long a stream of hits keeps another application
/// from its bank, the effect of a cap on hits (dram.row_hit_cap), and its cost.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

const std::vector<unsigned> kLengths{256, 1024, 4096, 16384};  // numbers of hits of application 1
constexpr unsigned kOutstanding = 16;                          // requests in flight: the next hit is always pending
constexpr Cycle kLater = 100;        // application 2 arrives when the row is open and being hit
constexpr unsigned kEndless = 4096;  // requests of each of two competing streams

DramConfig dram(const std::string& scheduler, unsigned cap) {
  return plan("fr-rr-fcfs/workloads")
      .config_with({{"dram.scheduler", scheduler}, {"dram.row_hit_cap", std::to_string(cap)}})
      .dram;
}

/// The wait of application 2's single request to another row while application 1 hits its row.
Cycle wait(const std::string& scheduler, unsigned cap, unsigned hits) {
  return serve(dram(scheduler, cap), {{1, hits, kOutstanding, 0}, {2, 1, 1, kLater}})[1].longest_wait;
}

/// What caps do to the workload that the paper's policy helps most, on the whole GPU.
Table whole_gpu(const Study& all, const ExperimentOptions& options) {
  const MemoryRun hist{{"hist"}}, gups{{"gups"}};
  std::vector<MemoryRun> runs;
  for (const std::string& scheduler : all.values("dram.scheduler")) {
    for (const unsigned cap : all.numbers("dram.row_hit_cap")) runs.push_back({all.programs().at(0), scheduler, cap});
  }
  std::vector<MemoryRun> with_alone = runs;
  with_alone.insert(with_alone.end(), {hist, gups});
  const auto outcomes = run_memory(with_alone, options);
  Table table = memory_table({{"scheduler"}, {"cap"}});
  for (const MemoryRun& run : runs) {
    add_run(table, {run.scheduler, run.row_hit_cap}, outcomes.at(run),
            metrics(outcomes.at(run), outcomes.at(hist), outcomes.at(gups)));
  }
  return table;
}

ExperimentReport starvation(const Study& all, const ExperimentOptions& options) {
  const std::size_t lengths = options.quick ? kLengths.size() - 1 : kLengths.size();
  ExperimentReport report{"fr-rr-fcfs"};
  Table waiting({{"scheduler"}, {"cap"}, {"hits"}, {"wait_cycles", "", "Longest wait of application 2"}});
  Table cost(
      {{"scheduler"},
       {"cap"},
       {"bursts_per_kcycle", "", "Bursts in 1000 command cycles", "bursts/1000 CK", 1},
       {"longest_wait_cycles", "command cycles", "", "longest wait"},
       {"ends_apart_cycles", "command cycles", "From the end of one application to that of the other", "ends apart"}});
  for (const std::string& scheduler : all.values("dram.scheduler")) {
    for (const unsigned cap : all.numbers("dram.row_hit_cap")) {
      std::vector<Cycle> waits;
      for (std::size_t i = 0; i < lengths; ++i) {
        waits.push_back(wait(scheduler, cap, kLengths[i]));
        waiting.add({scheduler, cap, kLengths[i], waits.back()});
      }
      const RowStream a{1, kEndless, kOutstanding, 0}, b{2, kEndless, kOutstanding, 0};
      const auto outcome = serve(dram(scheduler, cap), {a, b});
      const auto [first, end] = std::minmax(outcome[0].end, outcome[1].end);
      cost.add({scheduler, cap, 2000.0 * kEndless / static_cast<double>(end),
                std::max(outcome[0].longest_wait, outcome[1].longest_wait), end - first});
      if (cap > 0) continue;  // ours, not the paper's
      const double growth = static_cast<double>(waits.back()) / static_cast<double>(waits.front());
      const double hits = static_cast<double>(kLengths[lengths - 1]) / kLengths.front();
      report.trend(fmt::format("{}: wait for {} times the hits", scheduler, hits), "starvation.without_cap",
                   Quantity::number(growth, 2), fmt::format("at least {:.0f}", 0.9 * hits), growth >= 0.9 * hits,
                   "hits before all else");
    }
  }
  report.tables = {
      {fmt::format(
           "One bank of baseline60. Application 1 has {} reads of one row outstanding at any time, application 2 "
           "one read of another row. Its wait, in command cycles, by the number of reads of application 1 and "
           "the cap on row hits (0: none)",
           kOutstanding),
       pivot(waiting, {"scheduler", "cap"}, "hits", {"wait_cycles"})},
      {fmt::format("What a cap costs: two applications with {} reads each, each of a row of its own in the bank, {} "
                   "outstanding",
                   kEndless, kOutstanding),
       cost, "cost"}};
  if (!options.quick) report.tables.push_back({"hist_gups on baseline60", whole_gpu(all, options), "hist-gups"});
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/starvation", starvation); }

}  // namespace
}  // namespace gputlm
