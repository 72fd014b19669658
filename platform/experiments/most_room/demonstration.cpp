/// Section 5 of most-room on its Turing GPU, in words: kernel A leaves one SM empty; kernel B comes with 33 threads a block
/// and gets that SM alone (isolated), or with 32 and shares the SMs of A (colocated). Placements are exact; of the times,
/// what the text says of each kind of kernels is judged. Their numbers are judged by most-room/turing, of the same kernels.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "platform/experiments/experiments.h"
#include "platform/experiments/most_room/placement_chart.h"
#include "platform/experiments/most_room/table1.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"

namespace gputlm {
namespace {

constexpr unsigned kSms = 68;
constexpr double kNoChange = 0.05, kMostly = 0.10;  // "no change"; "mostly unaffected", "minor", "comparable"
constexpr double kSmall = 0.25;  // section 5.3 calls totals of 24 % below serial a slight improvement
constexpr double kSlower = 1.05;

/// The SMs with what is on them: A, B, and how many of each.
std::string picture(const std::vector<LaunchOutcome>& launches) {
  std::array<unsigned, kSms> a{}, b{};
  for (const SmId sm : launches[0].sms()) ++a.at(sm);
  for (const SmId sm : launches[1].sms()) ++b.at(sm);
  constexpr unsigned kColumns = 17;
  std::string text;
  for (unsigned sm = 0; sm < kSms; ++sm) {
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

/// What the text says of one kind of kernels, judged.
class SectionFive {
 public:
  SectionFive(std::string kind, const Table1Row& row, std::vector<Figure>& figures)
      : kind_(std::move(kind)), row_(row), figures_(figures) {}

  void all() {
    placements();
    near("serial B, 32 over 33 threads", "negligible", row_.b32_over_b33, kNoChange);
    switch (table1_kind(kind_)) {
      case Table1Kind::kL1: l1(); break;
      case Table1Kind::kCompute: compute(); break;
      case Table1Kind::kMemory: memory(); break;
      case Table1Kind::kTransfer: transfer(); break;
    }
  }

 private:
  void l1() {
    near("A isolated", "as alone", row_.isolated.a, kNoChange);
    near("B isolated", "as alone", row_.isolated.b, kNoChange);
    slower("A colocated", row_.colocated.a);
    slower("B colocated", row_.colocated.b);
    const std::vector<SmId> on = row_.spilled_launches[1].sms();
    add("B, 9 blocks of 33 threads", paper().at("placement.turing68_67x512_9x33.sms"),
        fmt::format("{} off SM 67", std::count_if(on.begin(), on.end(), [](SmId sm) { return sm != 67; })),
        Band::exact());
    slower("A beside 9 blocks of B", row_.spilled->a);
    slower("B of 9 blocks", row_.spilled->b);
    below("total isolated", "faster than serial", row_.isolated.total, 1);
    below("total colocated", "faster than serial", row_.colocated.total, 1);
    less_gained();
  }
  void compute() {
    near("A isolated", "no change", row_.isolated.a, kNoChange);
    slower("B isolated", row_.isolated.b);
    near("A colocated", "unaffected", row_.colocated.a, kNoChange);
    slower("B colocated, more than isolated", row_.colocated.b, row_.isolated.b);
    small("A colocated, launched second", row_.swapped->a);
    small("B colocated, launched first", row_.swapped->b);
    below("total isolated", "slight improvement", row_.isolated.total, 1);
    below("total colocated", "slight improvement", row_.colocated.total, 1);
    less_gained();
    slower("B colocated over A, unfair", row_.colocated.b / row_.colocated.a);
  }
  void memory() {
    near("A isolated", "mostly unaffected", row_.isolated.a, kMostly);
    near("A colocated", "mostly unaffected", row_.colocated.a, kMostly);
    slower("B isolated", row_.isolated.b);
    slower("B colocated, more than isolated", row_.colocated.b, row_.isolated.b);
    near("total isolated", "comparable to serial", row_.isolated.total, kMostly);
    near("total colocated", "comparable to serial", row_.colocated.total, kMostly);
    slower("B colocated over A, unfair", row_.colocated.b / row_.colocated.a);
  }
  void transfer() {
    near("A isolated", "minor degradation", row_.isolated.a, kMostly);
    near("A colocated", "minor degradation", row_.colocated.a, kMostly);
    slower("B isolated, more than A", row_.isolated.b, row_.isolated.a);
    slower("B colocated, more than isolated", row_.colocated.b, row_.isolated.b);
    below("total isolated", "slightly less than serial", row_.isolated.total, 1);
    below("total colocated", "slightly less than serial", row_.colocated.total, 1);
    less_gained();
  }

  /// Section 5.6: what concurrency gains is less when blocks of both share SMs.
  void less_gained() {
    below("total isolated over colocated", "gain lessened", row_.isolated.total / row_.colocated.total, 1);
  }
  void placements() {
    std::vector<SmId> left = row_.colocated_launches[0].sms();
    std::sort(left.begin(), left.end());
    const bool one_each = std::adjacent_find(left.begin(), left.end()) == left.end() && left.back() == kSms - 2;
    add("A on SMs", paper().at("demonstration.a_on_sms"), one_each ? "0 to 66" : list_text(left), Band::exact());
    add("B isolated on SMs", paper().at("placement.turing68_67x512_8x33.sms"),
        list_text(row_.isolated_launches[1].sms()), Band::exact());
    add("B colocated on SMs", paper().at("placement.turing68_67x512_8x32.sms"),
        list_text(row_.colocated_launches[1].sms()), Band::exact());
  }

  static const Reference& paper() { return reference("most-room"); }
  void near(const std::string& what, const char* says, double ours, double within) {
    add(what, says, Quantity::number(ours, 2),
        Band::range(1 - within, 1 + within, 2).named(fmt::format("within {:.0f} % of 1", 100 * within)));
  }
  void slower(const std::string& what, double ours, double than = 1) {
    add(what, "slower", Quantity::number(ours, 2),
        Band::above(kSlower * than).named(fmt::format("above {:.2f}", kSlower * than)));
  }
  void small(const std::string& what, double ours) {
    add(what, "small degradation", Quantity::number(ours, 2),
        Band::range(1, 1 + kSmall, 2).named(fmt::format("1 to {:.2f}", 1 + kSmall)));
  }
  void below(const std::string& what, const char* says, double ours, double bound) {
    add(what, says, Quantity::number(ours, 2), Band::below(bound));
  }
  void add(const std::string& what, Quantity says, Quantity ours, Band band) {
    figures_.push_back({kind_ + ": " + what, std::move(says), std::move(ours), std::move(band), ""});
  }

  std::string kind_;
  const Table1Row& row_;
  std::vector<Figure>& figures_;
};

}  // namespace

ExperimentReport most_room_demonstration(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Table1Runs ours(matrix("most-room/demonstration", options.quick), kTuringShapes, settings, options);
  ExperimentReport report;
  for (const std::string& kind : ours.kinds()) SectionFive(kind, ours.row(kind), report.figures).all();
  const Table1Row& first = ours.row(ours.kinds().front());
  report.text = fmt::format(
      "Kernel A: 67 blocks of 512 threads. Kernel B comes next, 8 blocks.\nisolated, 33 threads a block:\n{}"
      "colocated, 32 threads a block:\n{}\nSerial in ms, others over serial\n{}",
      picture(first.isolated_launches), picture(first.colocated_launches), ours.text());
  if (!options.out.empty()) {
    write_chart(options.out + "/most-room-demonstration.svg",
                placement_chart(first.isolated_launches, first.colocated_launches, ours.mhz()));
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"most-room/demonstration", 102},
                     "What that does to the times of two kernels on a Turing GPU, as the text has it (section 5)",
                     [](const ExperimentOptions& options) { return most_room_demonstration(options); }});
}

}  // namespace gputlm
