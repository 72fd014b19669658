/// The kernels of table 1 of most-room on its Pascal and its Volta GPU (appendix B, tables 3 and 4, whose numbers are not
/// available). "The only differences in the kernels [...] were related to the hardware differences [...] such as the number
/// of threads per block and the total number of blocks": A has a block for all SMs of that GPU but one, its tables fill that
/// GPU's L1, and B has four blocks, as the appendix mentions. Nothing is refitted. The text's statements about the results
/// are judged: the same effects as on Turing, except that B does not suffer from isolation when it calculates.
#include <fmt/format.h>

#include "platform/experiments/most_room/table1.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr double kAsAlone = 0.1;  // criterion for unchanged

/// "Such as the number of threads per block": section 4.2 shows the step from 32 to 33 threads on the Pascal GPU with a first
/// kernel of 1024 threads per block, half of an SM's capacity, as section 5 does with 512 on the Turing GPU. About the Volta
/// GPU the paper says nothing.
constexpr Table1Shapes kPascalShapes{1024, 4}, kVoltaShapes{512, 4};

ExperimentReport on_another_gpu(const Study& plan, Table1Shapes shapes, const ExperimentOptions& options) {
  const Table1Runs ours(plan, shapes, options);
  ExperimentReport report{"most-room"};
  Table bars({{"kernels"}, {"run"}, {"a", "", "Over A alone", "A", 2}, {"b", "", "", "B", 2}});
  for (const std::string& kind : ours.kinds()) {
    const Table1Row& row = ours.row(kind);
    const auto bar = over_a_alone(row);
    for (const auto& [i, run] : {std::pair{0, "serial"}, {1, "isolated"}, {2, "colocated"}})
      bars.add({kind, run, bar[i].first, bar[i].second});
    const auto add = [&](const std::string& what, double value, Band band) {
      report.number(kind + ": " + what, "other_gpus." + kind + "." + what, value, 2, std::move(band));
    };
    const auto as_alone = [&](const char* what, double value) { add(what, value, Band::near_one(kAsAlone)); };
    const auto slower = [&](const char* what, double value, double than = 1) { add(what, value, Band::slower(than)); };
    as_alone("A isolated", row.isolated.a);
    switch (table1_kind(kind)) {
      case Table1Kind::kL1:
        as_alone("B isolated", row.isolated.b);
        slower("A colocated", row.colocated.a);
        slower("B colocated", row.colocated.b);
        break;
      case Table1Kind::kCompute:
        as_alone("B isolated", row.isolated.b);
        as_alone("A colocated", row.colocated.a);
        slower("B colocated", row.colocated.b, row.isolated.b);
        break;
      case Table1Kind::kMemory:
        as_alone("A colocated", row.colocated.a);
        slower("B isolated", row.isolated.b);
        slower("B colocated", row.colocated.b, row.isolated.b);
        break;
      case Table1Kind::kTransfer:
        slower("B isolated", row.isolated.b);
        slower("B colocated", row.colocated.b);
        break;
    }
  }
  report.tables = {ours.times(), {"Times over that of A alone", bars, "over-a-alone"}};
  report.charts = {{bar_chart(bars, "time over A alone", {"kernels", "run"}, {"a", "b"})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("most-room/pascal",
                 [](const Study& plan, const ExperimentOptions& o) { return on_another_gpu(plan, kPascalShapes, o); },
                 {"kind", "scale"});
  add_experiment("most-room/volta",
                 [](const Study& plan, const ExperimentOptions& o) { return on_another_gpu(plan, kVoltaShapes, o); },
                 {"kind", "scale"});
}

}  // namespace
}  // namespace gputlm
