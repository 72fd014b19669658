/// Gains of keeping the applications' requests apart in front of the memory controllers, with queues of buildable sizes,
/// compared with the gains of FR-RR-FCFS. The paper's scheduler is fair among the requests that it sees; in front of a short
/// queue requests are in the order of arrival. The paper does not cover this, so nothing is judged.
///
/// Each admission extends the part of the path on which no application waits behind another. Entries are reserved for the two
/// applications, a quarter of the queue each; the rest is shared:
/// - in order: none;
/// - reserved: the entries only. There is one queue in front, whose head waits for room for its application;
/// - queues: also a queue in front per application, with its own path from the L2 slices;
/// - queues from L2: also a queue per application in front of the slices, with half of their MSHRs each: the whole path from
///   the crossbar.
#include <fmt/format.h>

#include "platform/experiments/fr_rr_fcfs/runs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// The settings of the admission called `name`, for a queue of this size.
ParameterSettings settings_of(const std::string& name, unsigned queue) {
  ParameterSettings settings;
  if (name == "in order") return settings;
  settings.emplace_back("dram.applications", "2");
  settings.emplace_back("dram.reserved", std::to_string(queue / 4));
  if (name == "reserved") return settings;
  settings.emplace_back("dram.virtual_channels", "true");
  if (name == "queues") return settings;
  settings.emplace_back("l2.applications", "2");
  return settings;
}

ExperimentReport admission(const Study& all, const ExperimentOptions& options) {
  struct Point {
    unsigned queue;
    std::string admission, scheduler;
    std::vector<std::string> pair;
    MemoryRun shared() const { return {pair, scheduler, 0, 60, queue, settings_of(admission, queue)}; }
    MemoryRun alone(std::size_t k) const { return {{pair.at(k)}, "fr_fcfs", 0, 60, queue}; }
  };
  std::vector<Point> points;
  std::vector<MemoryRun> runs;
  for (const unsigned queue : all.numbers("dram.queue")) {
    for (const std::string& admission : all.values("admission")) {
      for (const char* const scheduler : {"fr_fcfs", "fr_rr_fcfs"}) {
        for (const auto& pair : all.programs()) {
          const Point& point = points.emplace_back(Point{queue, admission, scheduler, pair});
          runs.insert(runs.end(), {point.shared(), point.alone(0), point.alone(1)});
        }
      }
    }
  }
  const auto outcomes = run_memory(runs, options);
  Table table =
      memory_table({{"queue", "", "entries of a controller's queue"}, {"admission"}, {"scheduler"}, {"workload"}});
  for (const Point& point : points) {
    const MemoryOutcome& outcome = outcomes.at(point.shared());
    add_run(table, {point.queue, point.admission, point.scheduler, point.pair.at(0) + "_" + point.pair.at(1)}, outcome,
            metrics(outcome, outcomes.at(point.alone(0)), outcomes.at(point.alone(1))));
  }
  const Table mean =
      means(table, {"queue", "admission", "scheduler"}, {"fairness_index", "weighted_speedup", "useful"});
  const auto chart = [&](const char* y) {
    return line_chart(mean, {"queue", y, {"admission", "scheduler"}, "", true}).panels.at(0);
  };
  ExperimentReport report{"fr-rr-fcfs"};
  report.tables = {
      {fmt::format(
           "Means over {} workloads by the entries of a controller's queue, each a burst; FI: fairness index, 1 "
           "is fair; WS: weighted speedup; useful: share of DRAM cycles in which data moves",
           all.programs().size()),
       mean, "means"},
      {"Fairness index and weighted speedup of each workload",
       pivot(table, {"queue", "admission", "scheduler"}, "workload", {"fairness_index", "weighted_speedup"}),
       "workloads"},
      {"", table}};
  report.charts = {
      {LineChart{"Two applications, means over the workloads", {chart("fairness_index"), chart("weighted_speedup")}}}};
  return report;
}

GPUTLM_REGISTER { add_experiment("fr-rr-fcfs/admission", admission, {"admission"}); }

}  // namespace
}  // namespace gputlm
