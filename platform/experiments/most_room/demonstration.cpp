/// Section 5 of most-room on its Turing GPU: kernel A leaves one SM empty; kernel B comes with 33 threads a block and
/// gets that SM alone (isolated), or with 32 and shares the SMs of A (colocated). Table 1 gives the times.
///
/// Placements are exact. Of the times, the paper's kernels being unknown but for their description, only directions
/// count as agreement; the factors stand beside the paper's.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "platform/experiments/experiments.h"
#include "platform/experiments/most_room/demonstration_kernels.h"
#include "platform/experiments/most_room/placement_chart.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kABlocks = 67, kAThreads = 512, kBBlocks = 8;
constexpr std::uint32_t kIsolatedThreads = 33, kColocatedThreads = 32;
constexpr unsigned kSms = 68;

/// Times of A and B, milliseconds in the paper, core cycles in ours.
struct Times {
  double a = 0, b = 0;
};
struct Table1 {
  Times serial, isolated, colocated;
};

struct Kind {
  const char* name;
  DemonstrationKind kind;
  const char* key;             ///< in reference.yaml
  const char* warp_scheduler;  ///< nullptr: the GPU's
};

const std::array<Kind, 4> kKinds{{
    {"L1-cache-dependent", DemonstrationKind::kL1, "L1-cache-dependent", nullptr},
    {"compute-intensive", DemonstrationKind::kCompute, "compute-intensive", nullptr},
    {"compute-intensive, gto", DemonstrationKind::kCompute, "compute-intensive", "gto"},
    {"memory-intensive", DemonstrationKind::kMemory, "memory-intensive", nullptr},
}};

Table1 table1(const Kind& kind) {
  const auto times = [&](const char* which) {
    const std::string key = fmt::format("turing.{}.{}.", kind.key, which);
    return Times{reference("most-room").number(key + "a"), reference("most-room").number(key + "b")};
  };
  return {times("serial"), times("isolated"), times("colocated")};
}

/// The runs of one kind; the last one only for the first kind. Each is a process: nothing is left in a
/// cache from the run before.
enum Case : std::size_t { kSerialA, kSerialB33, kSerialB32, kIsolated, kColocated, kNineBlocks, kCases };

std::size_t cases(const Kind& kind) { return kind.kind == DemonstrationKind::kL1 ? kCases : kNineBlocks; }

Run make_run(const Kind& kind, Case which, double length) {
  GpuConfig gpu = experiment_gpu(
      "turing68", {{"work_distributor.placement", "most_room"}, {"work_distributor.sm_order", "evens_then_odds"}});
  if (kind.warp_scheduler) gpu.sm.warp_scheduler = kind.warp_scheduler;
  Workload workload = workload_of_streams(2);
  const bool with_a = which != kSerialB33 && which != kSerialB32, with_b = which != kSerialA;
  if (with_a) {
    launch(workload, 0, demonstration_kernel(kind.kind, DemonstrationRole::kA, kABlocks, kAThreads, gpu, length));
  }
  if (with_b) {
    const std::uint32_t threads = which == kSerialB32 || which == kColocated ? kColocatedThreads : kIsolatedThreads;
    const std::uint32_t blocks = which == kNineBlocks ? kBBlocks + 1 : kBBlocks;
    launch(workload, 1, demonstration_kernel(kind.kind, DemonstrationRole::kB, blocks, threads, gpu, length),
           with_a ? kMicrosecond / 10 : 0);  // after A, whose blocks take 67 cycles to place
  }
  return {gpu, workload};
}

using Outcome = std::vector<LaunchOutcome>;

double cycles(const LaunchOutcome& launch) { return static_cast<double>(launch.time()); }
Times both(const Outcome& outcome) { return {cycles(outcome[0]), cycles(outcome[1])}; }
double total(const Outcome& outcome) {
  return static_cast<double>(std::max(outcome[0].end, outcome[1].end) - outcome[0].first_block);
}

/// The SMs with what is on them: A, B, and how many of each.
std::string picture(const Outcome& outcome) {
  std::array<unsigned, kSms> a{}, b{};
  for (const SmId sm : outcome[0].sms()) ++a.at(sm);
  for (const SmId sm : outcome[1].sms()) ++b.at(sm);
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

std::string hit_rate(const LaunchOutcome& launch) {
  const double all = static_cast<double>(launch.l1_sector_hits + launch.l1_sector_misses);
  return all > 0 ? fmt::format("{:.0f} %", 100 * static_cast<double>(launch.l1_sector_hits) / all) : "-";
}

/// One row of the table of times.
std::string row(const char* name, const char* which, const Times& ours, const Times& factor, const Times& paper,
                double all, double mhz) {
  const double ms = 1 / (mhz * 1000);
  return fmt::format("{:<22}  {:<9} {:>9.4f} {:>7.2f} {:>7.2f} {:>12.4f} {:>7.2f} {:>7.2f} {:>12.4f}\n", name, which,
                     ours.a * ms, factor.a, paper.a, ours.b * ms, factor.b, paper.b, all * ms);
}

Times over(const Times& times, const Times& serial) { return {times.a / serial.a, times.b / serial.b}; }

/// Adds the figures that say in which direction times go.
class Directions {
 public:
  Directions(const std::string& kind, std::vector<Figure>& figures) : kind_(kind), figures_(figures) {}
  void unchanged(const std::string& what, double paper, double ours, double within) {
    add(what, paper, ours,
        Band::range(1 - within, 1 + within, 2).named(fmt::format("within {:.0f} % of 1", 100 * within)));
  }
  void slower(const std::string& what, double paper, double ours, double than = 1) {
    add(what, paper, ours, Band::above(1.05 * than).named(fmt::format("above {:.2f}", 1.05 * than)));
  }
  /// Shown, not judged; `why` says for what reason.
  void compared(const std::string& what, double paper, double ours, const std::string& why) {
    figures_.push_back(
        compared_figure(kind_ + ": " + what, Quantity::number(paper, 2), Quantity::number(ours, 2), why));
  }
  void faster(const std::string& what, double paper, double ours) { add(what, paper, ours, Band::below(1)); }

 private:
  void add(const std::string& what, double paper, double ours, Band band) {
    figures_.push_back(
        {kind_ + ": " + what, Quantity::number(paper, 2), Quantity::number(ours, 2), std::move(band), ""});
  }
  std::string kind_;
  std::vector<Figure>& figures_;
};

void placements(const std::string& kind, const std::vector<Outcome>& outcomes, std::vector<Figure>& figures) {
  std::vector<SmId> left = outcomes[kColocated][0].sms();
  std::sort(left.begin(), left.end());
  const bool one_each = std::adjacent_find(left.begin(), left.end()) == left.end() && left.back() == 66;
  figures.push_back(exact_figure(kind + ": A on SMs", reference("most-room").at("demonstration.a_on_sms"),
                                 one_each ? "0 to 66" : list_text(left)));
  figures.push_back(exact_figure(kind + ": B isolated on SMs",
                                 reference("most-room").at("placement.turing68_67x512_8x33.sms"),
                                 list_text(outcomes[kIsolated][1].sms())));
  figures.push_back(exact_figure(kind + ": B colocated on SMs",
                                 reference("most-room").at("placement.turing68_67x512_8x32.sms"),
                                 list_text(outcomes[kColocated][1].sms())));
}

}  // namespace

ExperimentReport most_room_demonstration(const ExperimentOptions& options) {
  Sweep<std::pair<std::string, Case>> sweep;
  for (const Kind& kind : kKinds) {
    // The L1-dependent kernels keep their length: fewer sweeps of the tables would be mostly cold misses.
    const double length = options.quick && kind.kind != DemonstrationKind::kL1 ? 0.5 : 1;
    for (std::size_t c = 0; c < cases(kind); ++c)
      sweep.add({kind.name, static_cast<Case>(c)}, make_run(kind, static_cast<Case>(c), length));
  }
  sweep.run(options.jobs());
  const double mhz = sweep.request(sweep.keys().front()).config.core_mhz;

  ExperimentReport report;
  std::string table = fmt::format("{:<22}  {:<9} {:>9} {:>7} {:>7} {:>12} {:>7} {:>7} {:>12}\n", "kernels", "case",
                                  "A [ms]", "factor", "paper", "B [ms]", "factor", "paper", "total [ms]");
  std::string hits;
  for (const Kind& kind : kKinds) {
    std::vector<Outcome> outcomes;  // by Case
    for (std::size_t c = 0; c < cases(kind); ++c) {
      outcomes.push_back(launch_outcomes(sweep.result({kind.name, static_cast<Case>(c)})));
    }
    const Table1 paper = table1(kind);
    const double a = cycles(outcomes[kSerialA][0]);
    const Times serial33{a, cycles(outcomes[kSerialB33][0])}, serial32{a, cycles(outcomes[kSerialB32][0])};
    const Times isolated = over(both(outcomes[kIsolated]), serial33);
    const Times colocated = over(both(outcomes[kColocated]), serial32);
    const Times paper_isolated = over(paper.isolated, paper.serial);
    const Times paper_colocated = over(paper.colocated, paper.serial);

    table += row(kind.name, "serial", serial33, {1, 1}, {1, 1}, a + serial33.b, mhz);
    table += row("", "isolated", both(outcomes[kIsolated]), isolated, paper_isolated, total(outcomes[kIsolated]), mhz);
    table +=
        row("", "colocated", both(outcomes[kColocated]), colocated, paper_colocated, total(outcomes[kColocated]), mhz);
    placements(kind.name, outcomes, report.figures);
    Directions figures(kind.name, report.figures);
    figures.unchanged("serial B, 32 over 33 threads", 1, serial32.b / serial33.b, 0.05);
    figures.unchanged("A isolated", paper_isolated.a, isolated.a, 0.05);
    switch (kind.kind) {
      case DemonstrationKind::kL1: {
        const Times nine = over(both(outcomes[kNineBlocks]), serial33);
        table +=
            row("", "9 blocks", both(outcomes[kNineBlocks]), nine, paper_colocated, total(outcomes[kNineBlocks]), mhz);
        figures.unchanged("B isolated", paper_isolated.b, isolated.b, 0.05);
        figures.slower("A colocated", paper_colocated.a, colocated.a);
        figures.slower("B colocated", paper_colocated.b, colocated.b);
        figures.slower("A, 9 blocks of B with 33 threads", paper_colocated.a, nine.a);
        figures.slower("B, 9 blocks of B with 33 threads", paper_colocated.b, nine.b);
        figures.faster("isolated total over serial", paper.isolated.a / (paper.serial.a + paper.serial.b),
                       total(outcomes[kIsolated]) / (a + serial33.b));
        hits = fmt::format("L1 hit rate of the L1-dependent kernels, serial: A {}, B {} (paper: 75 to 95 %)\n",
                           hit_rate(outcomes[kSerialA][0]), hit_rate(outcomes[kSerialB33][0]));
        break;
      }
      case DemonstrationKind::kCompute:
        if (kind.warp_scheduler) {
          figures.unchanged("A colocated", paper_colocated.a, colocated.a, 0.05);
        } else {
          figures.compared("A colocated", paper_colocated.a, colocated.a,
                           "missed: lrr shares the pipe evenly; see gto below");
        }
        figures.slower("B isolated", paper_isolated.b, isolated.b);
        figures.slower("B colocated, more than isolated", paper_colocated.b, colocated.b, isolated.b);
        break;
      case DemonstrationKind::kMemory:
        figures.unchanged("A colocated", paper_colocated.a, colocated.a, 0.10);
        figures.slower("B isolated", paper_isolated.b, isolated.b);
        figures.slower("B colocated, more than isolated", paper_colocated.b, colocated.b, isolated.b);
        break;
    }
    if (report.text.empty()) {
      report.text = fmt::format(
          "Kernel A: {} blocks of {} threads. Kernel B comes next, {} blocks.\n"
          "isolated, {} threads a block:\n{}colocated, {} threads a block:\n{}\n",
          kABlocks, kAThreads, kBBlocks, kIsolatedThreads, picture(outcomes[kIsolated]), kColocatedThreads,
          picture(outcomes[kColocated]));
      if (!options.out.empty()) {
        write_chart(options.out + "/most-room-demonstration.svg",
                    placement_chart(outcomes[kIsolated], outcomes[kColocated], mhz));
      }
    }
  }
  report.text += table + hits +
                 "Compute-intensive, under lrr (as the preset) A and B share the pipe evenly: A is slower where B is, "
                 "unlike the paper's A.\nUnder gto older warps go first, which is what the paper supposes "
                 "(section 5.3: a preference for the kernel launched first).\n"
                 "Transfer-bandwidth-dependent kernels (section 5.5) are in most-room/turing.\n";
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"most-room/demonstration", 102},
                     "What that does to the times of two kernels on a Turing GPU (section 5, table 1)",
                     most_room_demonstration});
}

}  // namespace gputlm
