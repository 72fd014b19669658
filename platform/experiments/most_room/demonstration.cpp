/// Section 5 of most-room on its Turing GPU, in words. Kernel A leaves one SM empty; kernel B has either 33 threads per block
/// and gets that SM alone (isolated), or 32 and shares the SMs of A (colocated). Placements are exact; for times, the text's
/// statements about each kind of kernels are judged. most-room/turing judges the numbers of the same kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/experiments/most_room/table1.h"
#include "platform/lab/chart.h"

namespace gputlm {
namespace {

constexpr unsigned kTuringSms = 68;
constexpr double kNoChange = 0.05, kMostly = 0.10;  // "no change"; "mostly unaffected", "minor", "comparable"
constexpr double kSmall = 0.25;  // section 5.3 calls totals of 24 % below serial a slight improvement

/// The SMs with their contents: A, B, and how many of each.
std::string picture(const std::vector<LaunchOutcome>& launches) {
  std::array<unsigned, kTuringSms> a{}, b{};
  for (const SmId sm : launches[0].sms()) ++a.at(sm);
  for (const SmId sm : launches[1].sms()) ++b.at(sm);
  constexpr unsigned kColumns = 17;
  std::string text;
  for (unsigned sm = 0; sm < kTuringSms; ++sm) {
    if (sm % kColumns == 0) text += fmt::format("  SM {:>2}..{:>2} ", sm, sm + kColumns - 1);
    const auto some = [](unsigned n, const char* name) {
      return n == 0 ? std::string() : n == 1 ? std::string(name) : fmt::format("{}{}", n, name);
    };
    const std::string cell = some(a[sm], "A") + some(b[sm], "B");
    text += fmt::format(" {:>3}", cell.empty() ? "." : cell);
    if (sm % kColumns == kColumns - 1) text += '\n';
  }
  return text;
}

/// Judges the text's statements about one kind of kernels.
void judge_kind(const std::string& kind, const Table1Row& row, ExperimentReport& report) {
  const auto add = [&](const std::string& what, const char* says, double ours, Band band) {
    report.figures.push_back({kind + ": " + what, says, Quantity::number(ours, 2), std::move(band), ""});
  };
  const auto near = [&](const char* what, const char* says, double ours, double within) {
    add(what, says, ours, Band::near_one(within));
  };
  const auto slower = [&](const char* what, double ours, double than = 1) {
    add(what, "slower", ours, Band::slower(than));
  };
  const auto small = [&](const char* what, double ours) {
    add(what, "small degradation", ours, Band::range(1, 1 + kSmall, 2).named(fmt::format("1 to {:.2f}", 1 + kSmall)));
  };
  const auto totals_below = [&](const char* says) {
    add("total isolated", says, row.isolated.total, Band::below(1));
    add("total colocated", says, row.colocated.total, Band::below(1));
  };
  // Section 5.6: concurrency gains less if blocks of both share SMs.
  const auto less_gained = [&] {
    add("total isolated over colocated", "gain lessened", row.isolated.total / row.colocated.total, Band::below(1));
  };
  const auto unfair = [&] { slower("B colocated over A, unfair", row.colocated.b / row.colocated.a); };

  std::vector<SmId> left = row.colocated_launches[0].sms();
  std::sort(left.begin(), left.end());
  const bool one_each = std::adjacent_find(left.begin(), left.end()) == left.end() && left.back() == kTuringSms - 2;
  report.equal(kind + ": A on SMs", "demonstration.a_on_sms", one_each ? "0 to 66" : list_text(left));
  report.equal(kind + ": B isolated on SMs", "placement.turing68_67x512_8x33.sms",
               list_text(row.isolated_launches[1].sms()));
  report.equal(kind + ": B colocated on SMs", "placement.turing68_67x512_8x32.sms",
               list_text(row.colocated_launches[1].sms()));
  near("serial B, 32 over 33 threads", "negligible", row.b32_over_b33, kNoChange);
  switch (table1_kind(kind)) {
    case Table1Kind::kL1: {
      near("A isolated", "as alone", row.isolated.a, kNoChange);
      near("B isolated", "as alone", row.isolated.b, kNoChange);
      slower("A colocated", row.colocated.a);
      slower("B colocated", row.colocated.b);
      const std::vector<SmId> on = row.spilled_launches[1].sms();
      report.equal(kind + ": B, 9 blocks of 33 threads", "placement.turing68_67x512_9x33.sms",
                   fmt::format("{} off SM 67", std::count_if(on.begin(), on.end(), [](SmId sm) { return sm != 67; })));
      slower("A beside 9 blocks of B", row.spilled->a);
      slower("B of 9 blocks", row.spilled->b);
      totals_below("faster than serial");
      less_gained();
      break;
    }
    case Table1Kind::kCompute:
      near("A isolated", "no change", row.isolated.a, kNoChange);
      slower("B isolated", row.isolated.b);
      near("A colocated", "unaffected", row.colocated.a, kNoChange);
      slower("B colocated, more than isolated", row.colocated.b, row.isolated.b);
      small("A colocated, launched second", row.swapped->a);
      small("B colocated, launched first", row.swapped->b);
      totals_below("slight improvement");
      less_gained();
      unfair();
      break;
    case Table1Kind::kMemory:
      near("A isolated", "mostly unaffected", row.isolated.a, kMostly);
      near("A colocated", "mostly unaffected", row.colocated.a, kMostly);
      slower("B isolated", row.isolated.b);
      slower("B colocated, more than isolated", row.colocated.b, row.isolated.b);
      near("total isolated", "comparable to serial", row.isolated.total, kMostly);
      near("total colocated", "comparable to serial", row.colocated.total, kMostly);
      unfair();
      break;
    case Table1Kind::kTransfer:
      near("A isolated", "minor degradation", row.isolated.a, kMostly);
      near("A colocated", "minor degradation", row.colocated.a, kMostly);
      slower("B isolated, more than A", row.isolated.b, row.isolated.a);
      slower("B colocated, more than isolated", row.colocated.b, row.isolated.b);
      totals_below("slightly less than serial");
      less_gained();
      break;
  }
}

ExperimentReport demonstration(const Study& plan, const ExperimentOptions& options) {
  const Table1Runs ours(plan, kTuringShapes, options);
  ExperimentReport report{"most-room"};
  for (const std::string& kind : ours.kinds()) judge_kind(kind, ours.row(kind), report);
  const Table1Row& first = ours.row(ours.kinds().front());
  report.text = fmt::format(
      "Kernel A: 67 blocks of 512 threads. Kernel B comes next, 8 blocks.\nisolated, 33 threads a block:\n{}"
      "colocated, 32 threads a block:\n{}",
      picture(first.isolated_launches), picture(first.colocated_launches));
  report.tables = {ours.times()};
  for (const auto& [name, launches] :
       {std::pair{"isolated", &first.isolated_launches}, {"colocated", &first.colocated_launches}}) {
    const Cycle end = std::max(launches->at(0).end, launches->at(1).end);
    report.charts.push_back(
        {schedule_chart(schedule_of(*launches), {{"kernel A", colours::kSky}, {"kernel B", colours::kVermillion}},
                        kTuringSms, launches->at(0).first_block, end, ours.mhz()),
         name});
  }
  return report;
}

GPUTLM_REGISTER { add_experiment("most-room/demonstration", demonstration, {"kind", "scale"}); }

}  // namespace
}  // namespace gputlm
