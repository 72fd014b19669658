/// Table 1 of most-room on its Turing GPU: the cost of isolation and colocation for four kinds of kernels. The kernels are
/// fitted to the serial columns; the judged columns, isolated and colocated, are predictions.
#include <algorithm>
#include <array>

#include "platform/experiments/most_room/table1.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr std::array<const char*, 3> kColumns{"serial", "isolated", "colocated"};
constexpr double kTable1Share = 0.25;  // criterion for agreement

/// A row of the paper's table, in ms.
Table1Times paper_times(const std::string& kind, const std::string& columns) {
  const std::string key = "turing." + kind + "." + columns + ".";
  const Reference& paper = reference("most-room");
  const double a = paper.number(key + "a"), b = paper.number(key + "b");
  return {a, b, columns == "serial" ? a + b : std::max(a, b)};  // section 5.2: the total is that of the longer one
}

ExperimentReport turing(const Study& plan, const ExperimentOptions& options) {
  const Table1Runs ours(plan, kTuringShapes, options);
  ExperimentReport report{"most-room"};
  Table lengths({{"kernels"},
                 {"shorter", "", "The paper's length over ours", "paper's length over ours", 0},
                 {"l1_hits_a_percent", "%", "Hit rate of the L1, A alone", "L1 hits of A", 0},
                 {"l1_hits_b_percent", "%", "Hit rate of the L1, B alone", "L1 hits of B", 0},
                 {"spread", "", "Largest change of a factor with half of the length", "change with half of it", 2}});
  Table bars({{"kernels"},
              {"run"},
              {"a_paper", "", "Over A alone", "A, paper", 2},
              {"a", "", "", "A", 2},
              {"b_paper", "", "", "B, paper", 2},
              {"b", "", "", "B", 2}});
  for (const std::string& kind : ours.kinds()) {
    const Table1Row& row = ours.row(kind);
    const Table1Times serial = paper_times(kind, "serial");
    const auto hits = [&](std::size_t k) {
      return row.hit_rate[0] > 0 ? std::optional(100 * row.hit_rate[k]) : std::nullopt;
    };
    lengths.add({kind, serial.a * 1000 * ours.mhz() / row.serial.a, hits(0), hits(1),
                 ours.scales().size() > 1 ? std::optional(ours.spread(kind)) : std::nullopt});
    const auto add = [&](const std::string& what, double theirs, double value, int digits = 2, const char* note = "") {
      report.figures.push_back({kind + ": " + what, Quantity::number(theirs, digits), Quantity::number(value, digits),
                                Band::within_share(kTable1Share), note});
    };
    add("serial, B over A", serial.b / serial.a, row.serial.b / row.serial.a, 4, "the kernels are fitted to it");
    report.equal(kind + ": SMs of B, isolated", "placement.turing68_67x512_8x33.sms",
                 list_text(row.isolated_launches[1].sms()));
    report.equal(kind + ": SMs of B, colocated", "placement.turing68_67x512_8x32.sms",
                 list_text(row.colocated_launches[1].sms()));
    if (row.faults_a_page > 0) {
      report.number(kind + ": far faults for each page of a block", "far_faults.of_a_page", row.faults_a_page, 2,
                    Band::within(0.005).named("1"));
    }
    for (const auto& [columns, factors] : {std::pair{"isolated", row.isolated}, {"colocated", row.colocated}}) {
      const Table1Times theirs = paper_times(kind, columns);
      add(std::string("A ") + columns, theirs.a / serial.a, factors.a);
      add(std::string("B ") + columns, theirs.b / serial.b, factors.b);
      add(std::string("total ") + columns, theirs.total / serial.total, factors.total);
    }
    if (row.spilled) {  // section 5.2: "105ms for both kernels, the same as the concurrent-colocated case"
      const double both = reference("most-room").number("turing." + kind + ".nine_blocks.both");
      add("A, 9 blocks of B", both / serial.a, row.spilled->a);
      add("B, 9 blocks of B", both / serial.b, row.spilled->b);
    }
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
      const Table1Times theirs = paper_times(kind, kColumns[i]);
      const auto [a, b] = over_a_alone(row)[i];
      bars.add({kind, kColumns[i], theirs.a / serial.a, a, theirs.b / serial.a, b});
    }
  }
  report.tables = {
      ours.times(),
      {"Lengths of the kernels, and what depends on them (paper: 90 % of L1 hits on average)", lengths, "lengths"},
      {"Times over that of A alone", bars, "over-a-alone"}};
  report.charts = {{bar_chart(bars, "time over A alone", {"kernels", "run"}, {"a_paper", "a", "b_paper", "b"})}};
  return report;
}

GPUTLM_REGISTER { add_experiment("most-room/turing", turing, {"kind", "scale"}); }

}  // namespace
}  // namespace gputlm
