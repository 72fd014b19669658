/// The kernels of table 1 of most-room on its Pascal and its Volta GPU (appendix B, tables 3 and 4, whose numbers are not at
/// hand). "The only differences in the kernels [...] were related to the hardware differences": A has a block for all SMs of
/// that GPU but one, its tables fill the L1 of that GPU, and B has four blocks, of which the appendix speaks. Nothing is
/// fitted again. Judged is what the text says of the results: the same impacts as on Turing, but that B does not suffer from
/// isolation when it calculates.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/experiments/most_room/table1.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

constexpr double kAsAlone = 0.1, kSlowerBy = 1.05;  // what counts as unchanged, and as slower

ExperimentReport most_room_on(const std::string& experiment, const ExperimentOptions& options) {
  const Matrix all = matrix(experiment, options.quick);
  const Table1Runs ours(all, {512, 4}, {}, options);
  const Reference& paper = reference("most-room");
  ExperimentReport report;
  report.text =
      fmt::format("Kernel A: a block of 512 threads for all SMs of {} but one. Kernel B comes next, 4 blocks.\n{}\n",
                  all.gpu(), ours.text());
  BarChart chart{"time over A alone", {{"A", ""}, {"B", ""}}, {}};
  for (const std::string& kind : ours.kinds()) {
    const Table1Row& row = ours.row(kind);
    const auto [serial, isolated, colocated] = over_a_alone(row);
    chart.groups.push_back({kind + ", serial", {serial.first, serial.second}});
    chart.groups.push_back({"isolated", {isolated.first, isolated.second}});
    chart.groups.push_back({"colocated", {colocated.first, colocated.second}});
    const auto add = [&](const std::string& what, double value, Band band) {
      report.figures.push_back({kind + ": " + what, paper.at("other_gpus." + kind + "." + what),
                                Quantity::number(value, 2), std::move(band), ""});
    };
    const auto as_alone = [&](const std::string& what, double value) {
      add(what, value, Band::range(1 - kAsAlone, 1 + kAsAlone, 2).named("within 10 % of 1"));
    };
    const auto slower = [&](const std::string& what, double value, double than) {
      add(what, value, Band::above(kSlowerBy * than).named(fmt::format("above {:.2f}", kSlowerBy * than)));
    };
    as_alone("A isolated", row.isolated.a);
    switch (table1_kind(kind)) {
      case Table1Kind::kL1:
        as_alone("B isolated", row.isolated.b);
        slower("A colocated", row.colocated.a, 1);
        slower("B colocated", row.colocated.b, 1);
        break;
      case Table1Kind::kCompute:
        as_alone("B isolated", row.isolated.b);
        as_alone("A colocated", row.colocated.a);
        slower("B colocated", row.colocated.b, row.isolated.b);
        break;
      case Table1Kind::kMemory:
        as_alone("A colocated", row.colocated.a);
        slower("B isolated", row.isolated.b, 1);
        slower("B colocated", row.colocated.b, row.isolated.b);
        break;
      case Table1Kind::kTransfer:
        slower("B isolated", row.isolated.b, 1);
        slower("B colocated", row.colocated.b, 1);
        break;
    }
  }
  if (!options.out.empty()) {
    std::string file = experiment;
    std::replace(file.begin(), file.end(), '/', '-');
    write_chart(options.out + "/" + file + ".svg", chart);
  }
  return report;
}

}  // namespace

ExperimentReport most_room_pascal(const ExperimentOptions& options) {
  return most_room_on("most-room/pascal", options);
}
ExperimentReport most_room_volta(const ExperimentOptions& options) { return most_room_on("most-room/volta", options); }

GPUTLM_REGISTER {
  experiments().add(
      {{"most-room/pascal", 104}, "The same on a Pascal GPU (appendix B, without its numbers)", most_room_pascal});
  experiments().add(
      {{"most-room/volta", 105}, "The same on a Volta GPU (appendix B, without its numbers)", most_room_volta});
}

}  // namespace gputlm
