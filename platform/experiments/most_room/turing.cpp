/// Table 1 of most-room on its Turing GPU: what isolation and colocation cost kernels of four kinds. The kernels are fitted
/// to the serial columns; what is judged, the isolated and the colocated columns, is predicted.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/experiments/experiments.h"
#include "platform/experiments/most_room/table1.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

const std::array<std::string, 3> kColumns{"serial", "isolated", "colocated"};
constexpr double kTable1Share = 0.25;  // what counts as agreement

/// A row of the paper's table, in ms.
Table1Times paper_times(const std::string& kind, const std::string& columns) {
  const std::string key = "turing." + kind + "." + columns + ".";
  const Reference& paper = reference("most-room");
  const double a = paper.number(key + "a"), b = paper.number(key + "b");
  return {a, b, columns == "serial" ? a + b : std::max(a, b)};  // section 5.2: the total is that of the longer one
}

}  // namespace

ExperimentReport most_room_turing(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Table1Runs ours(matrix("most-room/turing", options.quick), kTuringShapes, settings, options);
  const Reference& paper = reference("most-room");
  ExperimentReport report;
  report.text =
      "Kernel A: 67 blocks of 512 threads. Kernel B comes next, 8 blocks, of 33 threads (isolated) or 32 (colocated).\n"
      "Serial in ms, others over serial; B isolated over B alone with 33 threads, colocated with 32.\n" +
      ours.text() + '\n';
  BarChart chart{"time over A alone", {{"A, paper", ""}, {"A", ""}, {"B, paper", ""}, {"B", ""}}, {}};
  for (const std::string& kind : ours.kinds()) {
    const Table1Row& row = ours.row(kind);
    const Table1Times serial = paper_times(kind, "serial");
    report.text += fmt::format("{}: 1/{:.0f} of the paper's length", kind, serial.a * 1000 * ours.mhz() / row.serial.a);
    if (row.hit_rate[0] > 0) {
      report.text += fmt::format("; L1 hit rate of A and B alone {:.0f} and {:.0f} % (paper: 90 % on average)",
                                 100 * row.hit_rate[0], 100 * row.hit_rate[1]);
    }
    if (ours.scales().size() > 1)
      report.text += fmt::format("; with half of it factors change by up to {:.2f}", ours.spread(kind));
    report.text += '\n';
    const auto add = [&](const std::string& what, double theirs, double value, Band band) {
      report.figures.push_back(
          {kind + ": " + what, Quantity::number(theirs, 2), Quantity::number(value, 2), std::move(band), ""});
    };
    report.figures.push_back({kind + ": serial, B over A", Quantity::number(serial.b / serial.a, 4),
                              Quantity::number(row.serial.b / row.serial.a, 4), Band::within_share(kTable1Share),
                              "the kernels are fitted to it"});
    report.figures.push_back(exact_figure(kind + ": SMs of B, isolated", paper.at("placement.turing68_67x512_8x33.sms"),
                                          list_text(row.isolated_launches[1].sms())));
    report.figures.push_back(exact_figure(kind + ": SMs of B, colocated",
                                          paper.at("placement.turing68_67x512_8x32.sms"),
                                          list_text(row.colocated_launches[1].sms())));
    if (row.faults_a_page > 0) {
      report.figures.push_back({kind + ": far faults for each page of a block", paper.at("far_faults.of_a_page"),
                                Quantity::number(row.faults_a_page, 2), Band::within(0.005).named("1"), ""});
    }
    const auto compare = [&](const std::string& columns, const Table1Times& factors) {
      const Table1Times theirs = paper_times(kind, columns);
      add("A " + columns, theirs.a / serial.a, factors.a, Band::within_share(kTable1Share));
      add("B " + columns, theirs.b / serial.b, factors.b, Band::within_share(kTable1Share));
      add("total " + columns, theirs.total / serial.total, factors.total, Band::within_share(kTable1Share));
    };
    compare("isolated", row.isolated);
    compare("colocated", row.colocated);
    if (row.spilled) {  // section 5.2: "105ms for both kernels, the same as the concurrent-colocated case"
      const double both = paper.number("turing." + kind + ".nine_blocks.both");
      add("A, 9 blocks of B", both / serial.a, row.spilled->a, Band::within_share(kTable1Share));
      add("B, 9 blocks of B", both / serial.b, row.spilled->b, Band::within_share(kTable1Share));
    }
    const auto bars = over_a_alone(row);
    for (std::size_t i = 0; i < bars.size(); ++i) {
      const Table1Times theirs = paper_times(kind, kColumns[i]);
      chart.groups.push_back({i == 0 ? kind + ", serial" : kColumns[i],
                              {theirs.a / serial.a, bars[i].first, theirs.b / serial.a, bars[i].second}});
    }
  }
  if (!options.out.empty()) write_chart(options.out + "/most-room-turing.svg", chart);
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"most-room/turing", 103},
                     "What isolation and colocation cost kernels of four kinds on a Turing GPU (section 5, table 1)",
                     [](const ExperimentOptions& options) { return most_room_turing(options); }});
}

}  // namespace gputlm
