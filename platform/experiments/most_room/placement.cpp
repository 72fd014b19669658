/// Sections 4.1, 4.2 and 5.1 of most-room: two kernels, the first resident when the second comes; on which SM is each
/// block of the second? Blocks spin for a time proportional to the id of their SM (section 3.1), so that SM 0 is free
/// first; a second kernel that comes then finds SM 0 empty and all others taken.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/experiments.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

struct Shape {
  std::uint32_t blocks, threads;
};

struct PlacementRow {
  const char* place;  ///< in the paper
  const char* gpu;
  Shape first, second;
  bool sm0_ended;         ///< whether the first kernel's block on SM 0 has ended when the second kernel comes
  const char* placement;  ///< nullptr: the one under test
  bool only_elsewhere;    ///< the paper only says how many blocks are not on the SM that the first kernel left empty

  std::string name() const {
    return fmt::format("{} ({}): {}x{} then {}x{}", place, gpu, first.blocks, first.threads, second.blocks,
                       second.threads) +
           (placement ? fmt::format(" under {}", placement) : "");
  }
  /// In reference.yaml.
  std::string key() const {
    return fmt::format("placement.{}_{}x{}_{}x{}.{}", gpu, first.blocks, first.threads, second.blocks, second.threads,
                       placement ? fmt::format("expected_of_{}", placement) : "sms");
  }
};

constexpr PlacementRow kRows[] = {
    {"section 4.1", "pascal5", {5, 256}, {3, 160}, true, nullptr, false},
    {"section 4.1, expected of", "pascal5", {5, 256}, {3, 160}, true, "round_robin", false},
    {"section 4.2", "pascal5", {5, 1024}, {3, 32}, true, nullptr, false},
    {"section 4.2", "pascal5", {5, 1024}, {3, 33}, true, nullptr, false},
    {"section 5.1", "turing68", {67, 512}, {8, 33}, false, nullptr, false},
    {"section 5.1", "turing68", {67, 512}, {8, 32}, false, nullptr, false},
    {"section 5.2", "turing68", {67, 512}, {9, 33}, false, nullptr, true},
};

constexpr SmId kLeftEmpty = 67;  // turing68: 67 blocks, one an SM, in the GPU's order: evens, then odds
constexpr Femtoseconds kSpin = 10 * kMicrosecond, kSpinPerSm = 2 * kMicrosecond;

Run make_run(const PlacementRow& row, const std::string& placement) {
  Run run{experiment_gpu(row.gpu, {{"work_distributor.placement", placement}}), workload_of_streams(2)};
  launch(run.workload, 0, spin_kernel(row.first.blocks, row.first.threads, kSpin, kSpinPerSm));
  // Between the ends of the blocks on SM 0 and SM 1, or while all blocks run.
  const Femtoseconds release = row.sm0_ended ? kSpin + kSpinPerSm / 2 : kSpin / 2;
  launch(run.workload, 1, spin_kernel(row.second.blocks, row.second.threads, kMicrosecond), release);
  return run;
}

/// Whether the first kernel's blocks were where and when the row wants them, from the records of the run; what was
/// wrong, or an empty text.
std::string precondition(const PlacementRow& row, unsigned launch_latency, const LaunchOutcome& first,
                         const LaunchOutcome& second) {
  Cycle placed = 0;
  for (const BlockRecord& b : second.blocks) placed = std::max(placed, b.start);
  std::vector<bool> taken(256, false);
  for (const BlockRecord& b : first.blocks) {
    if (taken[b.sm]) return fmt::format("two blocks of the first kernel were on SM {}", b.sm);
    taken[b.sm] = true;
    const bool had_ended = b.end + launch_latency <= second.arrived;  // and the work distributor knew
    const bool was_running = b.end > placed;
    if (row.sm0_ended && b.sm == 0 ? !had_ended : !was_running) {
      return fmt::format("the first kernel's block on SM {} {} when the second kernel came", b.sm,
                         was_running ? "was still running" : "had ended");
    }
  }
  return "";
}

}  // namespace

ExperimentReport most_room_placement(const ExperimentOptions& options, const std::string& placement) {
  Sweep<std::string> sweep;
  for (const PlacementRow& row : kRows) {
    sweep.add(row.name(), make_run(row, row.placement ? row.placement : placement));
  }
  sweep.run(options.jobs());

  const Reference& paper = reference("most-room");
  ExperimentReport report;
  report.text =
      "Blocks spin, those of the first kernel for 10 us + 2 us x SM id. Checked in every run: each of its blocks was\n"
      "alone on its SM, and when the second kernel came all were running - on pascal5 all but the one on SM 0.\n";
  for (const PlacementRow& row : kRows) {
    const auto outcomes = launch_outcomes(sweep.result(row.name()));
    const LaunchOutcome &first = outcomes[0], &second = outcomes[1];
    const std::vector<SmId> sms = second.sms();
    std::string ours = list_text(sms), note;
    if (row.only_elsewhere) {
      note = ours;
      ours = fmt::format("{} off SM {}",
                         std::count_if(sms.begin(), sms.end(), [](SmId sm) { return sm != kLeftEmpty; }), kLeftEmpty);
    }
    Figure figure = exact_figure(row.name(), paper.at(row.key()), std::move(ours), std::move(note));
    const unsigned launch_latency = sweep.request(row.name()).config.work_distributor.launch_latency;
    if (std::string wrong = precondition(row, launch_latency, first, second); !wrong.empty()) {
      figure.band = Band::trend("equal", false);
      figure.note = std::move(wrong);
    }
    report.figures.push_back(std::move(figure));
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"most-room/placement", 101},
                     "Which SM gets each block of a second kernel (sections 4.1, 4.2 and 5.1)",
                     [](const ExperimentOptions& options) { return most_room_placement(options); }});
}

}  // namespace gputlm
