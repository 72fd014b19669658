/// What qaws does not say: how its persistent threads take their work, how large its inputs are and how many warps an SM
/// has, one at a time, and what of figure 4 each reading gives.
#include <fmt/format.h>

#include <utility>

#include "platform/experiments/qaws/pairs.h"
#include "platform/experiments/qaws/qaws.h"
#include "platform/files/atomic_file.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

struct Reading {
  std::string name, columns;
  QawsReading what;
};

std::vector<Reading> readings(const Matrix& matrix) {
  const std::vector<std::string> schedules = matrix.values("schedule"), inputs = matrix.values("inputs");
  const std::vector<unsigned> warps = matrix.numbers("warps");
  const auto reading = [](const std::string& schedule, const std::string& input, unsigned warp_count) {
    using Schedule = WorkElement::Schedule;
    return Reading{fmt::format("{}, {}, {} warps", schedule, input, warp_count),
                   fmt::format("{},{},{}", schedule, input, warp_count),
                   {warp_count, schedule == "static" ? Schedule::kStatic : Schedule::kDynamic, input == "fit"}};
  };
  std::vector<Reading> all;
  for (const std::string& s : schedules) all.push_back(reading(s, inputs.front(), warps.front()));
  for (std::size_t i = 1; i < inputs.size(); ++i) all.push_back(reading(schedules.front(), inputs[i], warps.front()));
  for (std::size_t w = 1; w < warps.size(); ++w) all.push_back(reading(schedules.front(), inputs.front(), warps[w]));
  return all;
}

constexpr unsigned kBudget = kQawsBudgets.back();  // of K2; K1 has 1

QawsRun run_of(const std::string& program, const std::string& policy, const QawsReading& reading) {
  return {{{program, 1}, {program, kBudget}}, policy, reading};
}

/// Their blocks fill that many warps: those of his have six.
std::vector<std::string> programs_of(const Reading& reading, bool quick) {
  std::vector<std::string> those;
  for (const auto& pair : matrix("qaws/homogeneous", quick).workloads()) {
    if (pair[0] != "his" || reading.what.warps % 6 == 0) those.push_back(pair[0]);
  }
  return those;
}

}  // namespace

GPUTLM_REGISTER {
  experiments().add({{"qaws/readings", 407},
                     "What figure 4 becomes with other inputs, persistent threads and numbers of warps",
                     [](const ExperimentOptions& options) { return qaws_readings(options); }});
}

ExperimentReport qaws_readings(const ExperimentOptions& options, const std::string& policy) {
  const std::vector<Reading> all = readings(matrix("qaws/readings", options.quick));
  QawsRuns runs(options);
  for (const Reading& reading : all) {
    for (const std::string& program : programs_of(reading, options.quick)) {
      for (const std::string& p : {std::string("lrr"), std::string("gto"), policy})
        runs.add(run_of(program, p, reading.what));
    }
  }
  runs.run();
  ExperimentReport report;
  report.text =
      fmt::format("{:<24} {:>8}  {:^20}  {:^15}  {:>7}\n", "", "", "K2 better than under", "mean time", "K2 / K1");
  report.text += fmt::format("{:<24} {:>8}  {:>9} {:>10}  {:>7} {:>7}  {:>7}\n", "reading", "programs", "lrr", "gto",
                             "gto", "qaws", "gto");
  std::string csv = "schedule,inputs,warps,program,policy,k1_response_cycles,k2_response_cycles\n";
  std::size_t inverted = 0;
  for (const Reading& reading : all) {
    const std::vector<std::string> programs = programs_of(reading, options.quick);
    std::vector<double> over_lrr, over_gto, time_gto, time_qaws, order;
    for (const std::string& program : programs) {
      const QawsOutcome lrr = runs[run_of(program, "lrr", reading.what)],
                        gto = runs[run_of(program, "gto", reading.what)],
                        qaws = runs[run_of(program, policy, reading.what)];
      over_lrr.push_back(1 - ratio(qaws.response[1], lrr.response[1]));
      over_gto.push_back(1 - ratio(qaws.response[1], gto.response[1]));
      time_gto.push_back(gto.mean() / lrr.mean());
      time_qaws.push_back(qaws.mean() / lrr.mean());
      order.push_back(ratio(gto.response[1], gto.response[0]));
      for (const auto& [name, o] : {std::pair("lrr", &lrr), {"gto", &gto}, {"qaws", &qaws}})
        csv += fmt::format("{},{},{},{},{}\n", reading.columns, program, name, o->response[0], o->response[1]);
    }
    report.text +=
        fmt::format("{:<24} {:>8}  {:>9.3f} {:>10.3f}  {:>7.3f} {:>7.3f}  {:>7.3f}\n", reading.name, programs.size(),
                    mean(over_lrr), mean(over_gto), mean(time_gto), mean(time_qaws), mean(order));
    inverted += mean(order) > 1;
  }
  report.text += fmt::format(
      "Two instances of each program, means over them. Better: by which share K2's response time is lower under qaws "
      "with "
      "a budget of {};\nmean time: of both kernels, over that under lrr.\n\n",
      kBudget);
  report.figures = {{"GTO: K2 ends after K1, in every reading",
                     reference("qaws").at("homogeneous.k2_over_k1_under_gto"),
                     fmt::format("{} of {}", inverted, all.size()), Band::trend("all", inverted == all.size()), ""}};
  if (!options.out.empty()) write_file(options.out + "/qaws-readings.csv", csv);
  return report;
}

}  // namespace gputlm
