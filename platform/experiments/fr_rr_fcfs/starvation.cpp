/// Row hits go first without bound (fr-rr-fcfs, section 4.1, priority 1): how long a stream of hits keeps another
/// application from its bank, what a cap on hits (dram.row_hit_cap) makes of that, and what it costs.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/fr_rr_fcfs/bank.h"
#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/matrix.h"
#include "platform/lab/reference.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

const std::vector<unsigned> kLengths{256, 1024, 4096, 16384};  // hits of application 1
constexpr unsigned kOutstanding = 16;                          // of a stream: the next hit is always there
constexpr Cycle kLater = 100;                                  // application 2 comes when the row is open and hit
constexpr unsigned kEndless = 4096;                            // requests of each of two streams that meet

DramConfig dram(const std::string& scheduler, unsigned cap) {
  return experiment_gpu(matrix("fr-rr-fcfs/workloads", false).gpu(),
                        {{"dram.scheduler", scheduler}, {"dram.row_hit_cap", std::to_string(cap)}})
      .dram;
}

/// How long application 2's one request to another row waits while application 1 hits its row.
Cycle wait(const std::string& scheduler, unsigned cap, unsigned hits) {
  return serve(dram(scheduler, cap), {{1, hits, kOutstanding, 0}, {2, 1, 1, kLater}})[1].longest_wait;
}

/// What caps do to the workload that the paper's policy helps most, on the whole GPU.
std::string whole_gpu(const Matrix& matrix, const ExperimentOptions& options) {
  const MemoryRun hist{{"hist"}}, gups{{"gups"}};
  std::vector<MemoryRun> runs;
  for (const std::string& scheduler : matrix.values("dram.scheduler")) {
    for (const unsigned cap : matrix.numbers("dram.row_hit_cap"))
      runs.push_back({matrix.workloads().at(0), scheduler, cap});
  }
  std::vector<MemoryRun> all = runs;
  all.insert(all.end(), {hist, gups});
  const auto outcomes = run_memory(all, options);
  std::string text = fmt::format("\nhist_gups on baseline60\n{:<12} {:>4} {:>9} {:>9} {:>10} {:>6} {:>6} {:>6} {:>6}\n",
                                 "scheduler", "cap", "bandwidth", "of hist", "row hits", "hist", "gups", "WS", "FI");
  for (const MemoryRun& run : runs) {
    const MemoryOutcome& o = outcomes.at(run);
    const Metrics m = metrics(o, outcomes.at(hist), outcomes.at(gups));
    text += fmt::format("{:<12} {:>4} {:>9.3f} {:>9.3f} {:>10.3f} {:>6.3f} {:>6.3f} {:>6.3f} {:>6.2f}\n", run.scheduler,
                        run.row_hit_cap, o.useful(), o.applications[0].useful, o.row_hit_rate, m.slowdown[0],
                        m.slowdown[1], m.weighted_speedup, m.fairness_index);
  }
  return text;
}

}  // namespace

ExperimentReport fr_rr_fcfs_starvation(const ExperimentOptions& options) {
  const Matrix matrix = gputlm::matrix("fr-rr-fcfs/starvation", options.quick);
  const Reference& paper = reference("fr-rr-fcfs");
  const std::size_t lengths = options.quick ? kLengths.size() - 1 : kLengths.size();
  ExperimentReport report;
  report.text = fmt::format(
      "One bank of baseline60. Application 1 has {} reads of one row outstanding at any time, application 2 one read "
      "of\n"
      "another row. Its wait, in command cycles, by the number of reads of application 1 and the cap on row hits "
      "(0: none):\n\n{:<12} {:>4}",
      kOutstanding, "scheduler", "cap");
  for (std::size_t i = 0; i < lengths; ++i) report.text += fmt::format(" {:>8}", kLengths[i]);
  report.text += '\n';
  for (const std::string& scheduler : matrix.values("dram.scheduler")) {
    for (const unsigned cap : matrix.numbers("dram.row_hit_cap")) {
      std::vector<Cycle> waits;
      report.text += fmt::format("{:<12} {:>4}", scheduler, cap);
      for (std::size_t i = 0; i < lengths; ++i) {
        waits.push_back(wait(scheduler, cap, kLengths[i]));
        report.text += fmt::format(" {:>8}", waits.back());
      }
      report.text += '\n';
      if (cap > 0) continue;  // ours, not the paper's
      const double growth = static_cast<double>(waits.back()) / static_cast<double>(waits.front());
      const double hits = static_cast<double>(kLengths[lengths - 1]) / kLengths.front();
      report.figures.push_back({fmt::format("{}: wait for {} times the hits", scheduler, hits),
                                paper.at("starvation.without_cap"), Quantity::number(growth, 2),
                                Band::trend(fmt::format("at least {:.0f}", 0.9 * hits), growth >= 0.9 * hits),
                                "hits before all else"});
    }
  }

  report.text += fmt::format(
      "\nWhat a cap costs: two applications with {} reads each, each of a row of its own in the bank, {} outstanding.\n"
      "{:<12} {:>4} {:>16} {:>18} {:>14}\n",
      kEndless, kOutstanding, "scheduler", "cap", "bursts/1000 CK", "longest wait [CK]", "ends apart");
  for (const std::string& scheduler : matrix.values("dram.scheduler")) {
    for (const unsigned cap : matrix.numbers("dram.row_hit_cap")) {
      const RowStream a{1, kEndless, kOutstanding, 0}, b{2, kEndless, kOutstanding, 0};
      const auto outcome = serve(dram(scheduler, cap), {a, b});
      const Cycle end = std::max(outcome[0].end, outcome[1].end), first = std::min(outcome[0].end, outcome[1].end);
      const double rate = 2000.0 * kEndless / static_cast<double>(end);
      report.text += fmt::format("{:<12} {:>4} {:>16.1f} {:>18} {:>14}\n", scheduler, cap, rate,
                                 std::max(outcome[0].longest_wait, outcome[1].longest_wait), end - first);
    }
  }
  if (!options.quick) report.text += whole_gpu(matrix, options);
  report.text += '\n';
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"fr-rr-fcfs/starvation", 302},
                     "Row hits that keep another application from its bank, and a cap on them (section 4.1)",
                     fr_rr_fcfs_starvation});
}

}  // namespace gputlm
