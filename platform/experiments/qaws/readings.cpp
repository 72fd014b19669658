/// Choices that qaws leaves open, varied one at a time: how its persistent threads take their work, the size of its inputs
/// and the number of warps per SM; and which parts of figure 4 each reading reproduces.
#include <fmt/format.h>

#include "platform/experiments/qaws/runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

struct Reading {
  std::string name;
  QawsReading what;
};

std::vector<Reading> readings_of(const Study& plan) {
  const std::vector<std::string> schedules = plan.values("schedule"), inputs = plan.values("inputs");
  const std::vector<unsigned> warps = plan.numbers("warps");
  const auto reading = [](const std::string& schedule, const std::string& input, unsigned warp_count) {
    using Schedule = WorkElement::Schedule;
    return Reading{fmt::format("{}, {}, {} warps", schedule, input, warp_count),
                   {warp_count, schedule == "static" ? Schedule::kStatic : Schedule::kDynamic, input == "fit"}};
  };
  std::vector<Reading> all;
  for (const std::string& s : schedules) all.push_back(reading(s, inputs.front(), warps.front()));
  for (std::size_t i = 1; i < inputs.size(); ++i) all.push_back(reading(schedules.front(), inputs[i], warps.front()));
  for (std::size_t w = 1; w < warps.size(); ++w) all.push_back(reading(schedules.front(), inputs.front(), warps[w]));
  return all;
}

constexpr unsigned kBudget = kQawsBudgets.back();  // budget of K2; K1 has 1

/// Programs whose blocks fill that many warps: blocks of his have six.
std::vector<std::string> programs_of(const Reading& reading, const ExperimentOptions& options) {
  std::vector<std::string> those;
  const Study homogeneous = plan("qaws/homogeneous", options);
  for (const auto& pair : homogeneous.programs()) {
    if (pair[0] != "his" || reading.what.warps % 6 == 0) those.push_back(pair[0]);
  }
  return those;
}

ExperimentReport readings(const Study& plan, const ExperimentOptions& options) {
  const std::vector<Reading> all = readings_of(plan);
  const std::string policies[]{"lrr", "gto", options.policy("qaws")};
  const auto run_of = [](const std::string& program, const std::string& policy, const Reading& reading) {
    return QawsRun{{{program, 1}, {program, kBudget}}, policy, reading.what};
  };
  QawsRuns runs(options);
  for (const Reading& reading : all) {
    for (const std::string& program : programs_of(reading, options)) {
      for (const std::string& policy : policies) runs.add(run_of(program, policy, reading));
    }
  }
  runs.run();
  std::vector<TableColumn> columns{{"reading"}, {"program"}};
  for (const char* policy : {"lrr", "gto", "qaws"}) {
    for (const char* kernel : {"k1", "k2"})
      columns.push_back({fmt::format("{}_{}_cycles", kernel, policy), "core cycles", "Its response time"});
  }
  const std::vector<TableColumn> derived{
      {"better_than_lrr", "", "By which share K2's response time is lower under QAWS", "K2 better than lrr", 3},
      {"better_than_gto", "", "", "than gto", 3},
      {"time_gto", "", "Mean time of both kernels under GTO over that under LRR", "mean time, gto", 3},
      {"time_qaws", "", "", "qaws", 3},
      {"k2_over_k1", "", "Response time of K2 over that of K1 under GTO", "K2 / K1, gto", 3}};
  columns.insert(columns.end(), derived.begin(), derived.end());
  Table table(columns);
  std::size_t inverted = 0;
  for (const Reading& reading : all) {
    std::vector<double> order;
    for (const std::string& program : programs_of(reading, options)) {
      const auto under = [&](std::size_t p) { return runs[run_of(program, policies[p], reading)]; };
      const QawsOutcome lrr = under(0), gto = under(1), qaws = under(2);
      order.push_back(ratio(gto.response[1], gto.response[0]));
      table.add({reading.name, program, lrr.response[0], lrr.response[1], gto.response[0], gto.response[1],
                 qaws.response[0], qaws.response[1], 1 - ratio(qaws.response[1], lrr.response[1]),
                 1 - ratio(qaws.response[1], gto.response[1]), gto.mean() / lrr.mean(), qaws.mean() / lrr.mean(),
                 order.back()});
    }
    inverted += mean(order) > 1;
  }
  ExperimentReport report{"qaws"};
  report.trend("GTO: K2 ends after K1, in every reading", "homogeneous.k2_over_k1_under_gto",
               fmt::format("{} of {}", inverted, all.size()), "all", inverted == all.size());
  report.tables = {
      {fmt::format("Two instances of each program, means over them. Better: by which share K2's response time is lower "
                   "under qaws with a budget of {}; mean time: of both kernels, over that under lrr",
                   kBudget),
       means(table, {"reading"}, {"better_than_lrr", "better_than_gto", "time_gto", "time_qaws", "k2_over_k1"}),
       "means"},
      {"", table}};
  return report;
}

GPUTLM_REGISTER { add_experiment("qaws/readings", readings, {"schedule", "inputs", "warps"}); }

}  // namespace
}  // namespace gputlm
