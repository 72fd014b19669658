/// Sections 4.1, 4.2 and 5.1 of most-room: two kernels, the first resident when the second arrives; the SM of each block of
/// the second is checked. Blocks spin for a time proportional to the id of their SM (section 3.1), so that SM 0 is free
/// first; a second kernel that arrives then finds SM 0 empty and all others taken.
#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

struct Shape {
  std::uint32_t blocks, threads;
};

struct PlacementRow {
  const char* place;  ///< place in the paper
  const char* gpu;
  Shape first, second;
  bool sm0_ended;         ///< whether the first kernel's block on SM 0 has ended when the second kernel arrives
  const char* placement;  ///< nullptr: the one under test
  bool only_elsewhere;    ///< the paper only says how many blocks are not on the SM left empty by the first kernel

  std::string name() const {
    return fmt::format("{} ({}): {}x{} then {}x{}", place, gpu, first.blocks, first.threads, second.blocks,
                       second.threads) +
           (placement ? fmt::format(" under {}", placement) : "");
  }
  /// The key in reference.yaml.
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

// Section 4.4: blocks of 32x2 threads instead of 64x1. Section 4.2: where warps are the limit, unless blocks take so much
// shared memory that it becomes the limit.
constexpr PlacementRow kShapes{"section 4.4", "pascal5", {5, 1024}, {3, 64}, true, nullptr, false};
constexpr PlacementRow kWarpsLimit{"section 4.2", "pascal5", {5, 1024}, {3, 33}, true, nullptr, false};
constexpr Bytes kSharedMemory = 16 * 1024;
constexpr const char* kOrdered[] = {"pascal5", "turing68"};
constexpr SmId kLeftEmpty = 67;  // turing68: 67 blocks, one an SM, in the GPU's order: evens, then odds
constexpr Femtoseconds kSpin = 10 * kMicrosecond, kSpinPerSm = 2 * kMicrosecond;

/// The same number of threads and blocks, with two- or three-dimensional blocks and another shape of grid.
std::shared_ptr<Kernel> reshaped(std::shared_ptr<Kernel> kernel) {
  const std::uint32_t threads = kernel->block.x;
  std::uint32_t side = 2;
  while (side < threads && threads % side != 0) ++side;
  kernel->block = {threads / side, side};
  kernel->grid = {1, kernel->grid.x};
  return kernel;
}

/// `shaped`: with blocks and grids of other shapes. `shared_memory`: per block.
Run make_run(const PlacementRow& row, const std::string& placement, bool shaped = false, Bytes shared_memory = 0) {
  Run run{experiment_gpu(row.gpu, {{"work_distributor.placement", placement}}), workload_of_streams(2)};
  const auto kernel = [&](const Shape& shape, Femtoseconds time, Femtoseconds per_sm = 0) {
    auto made = spin_kernel(shape.blocks, shape.threads, time, per_sm);
    made->shared_memory = shared_memory;
    return shaped ? reshaped(std::move(made)) : made;
  };
  launch(run.workload, 0, kernel(row.first, kSpin, kSpinPerSm));
  // Between the ends of the blocks on SM 0 and SM 1, or while all blocks run.
  const Femtoseconds release = row.sm0_ended ? kSpin + kSpinPerSm / 2 : kSpin / 2;
  launch(run.workload, 1, kernel(row.second, kMicrosecond), release);
  return run;
}

/// One kernel on an idle GPU, with three blocks per SM.
Run alone(const std::string& gpu, const std::string& placement) {
  Run run{experiment_gpu(gpu, {{"work_distributor.placement", placement}}), workload_of_streams(1)};
  launch(run.workload, 0, spin_kernel(3 * run.config.sms, 256, kSpin));
  return run;
}

/// The order in which SMs are preferred, from a kernel with at least one block per SM (section 4.3).
std::string order_text(std::vector<SmId> sms, unsigned count) {
  sms.resize(count);
  if (count <= 8) return list_text(sms);
  const std::size_t half = count / 2;
  for (std::size_t i = 0; i < count; ++i) {
    if (sms[i] != (i < half ? 2 * i : 2 * (i - half) + 1)) return list_text(sms);
  }
  return fmt::format("0, 2, ..., {}, 1, 3, ..., {}", count - 2, count - 1);
}

/// Checks from the records of the run that the first kernel's blocks were where and when the row requires; returns an error
/// or an empty text.
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

ExperimentReport placement_rules(const ExperimentOptions& options) {
  const std::string placement = options.policy("most_room");
  RunSet<std::string> runs;
  for (const PlacementRow& row : kRows) {
    runs.add(row.name(), make_run(row, row.placement ? row.placement : placement));
  }
  for (const PlacementRow& row : kRows) {
    if (!row.placement) runs.add(row.name() + ", shaped", make_run(row, placement, true));
  }
  runs.add("32x2", make_run(kShapes, placement, true));
  runs.add("64x1", make_run(kShapes, placement));
  runs.add("shared memory", make_run(kWarpsLimit, placement, false, kSharedMemory));
  for (const char* gpu : kOrdered) {
    runs.add(fmt::format("{} alone", gpu), alone(gpu, placement));
    runs.add(fmt::format("{} alone under round_robin", gpu), alone(gpu, "round_robin"));
  }
  runs.run(options.jobs());

  ExperimentReport report{"most-room"};
  report.text =
      "Blocks spin, those of the first kernel for 10 us + 2 us x SM id. Checked in every run: each of its blocks was\n"
      "alone on its SM, and when the second kernel came all were running - on pascal5 all but the one on SM 0.\n";
  for (const PlacementRow& row : kRows) {
    const auto outcomes = launch_outcomes(runs.result(row.name()));
    const LaunchOutcome &first = outcomes[0], &second = outcomes[1];
    const std::vector<SmId> sms = second.sms();
    std::string ours = list_text(sms), note;
    if (row.only_elsewhere) {
      note = ours;
      ours = fmt::format("{} off SM {}",
                         std::count_if(sms.begin(), sms.end(), [](SmId sm) { return sm != kLeftEmpty; }), kLeftEmpty);
    }
    report.equal(row.name(), row.key(), std::move(ours), std::move(note));
    const unsigned launch_latency = runs.request(row.name()).config.work_distributor.launch_latency;
    if (std::string wrong = precondition(row, launch_latency, first, second); !wrong.empty()) {
      report.figures.back().band = Band::trend("equal", false);
      report.figures.back().note = std::move(wrong);
    }
  }
  const auto sms = [&](const std::string& key, std::size_t which) {
    return launch_outcomes(runs.result(key)).at(which).sms();
  };
  report.equal("section 4.2: shared memory limits as warps do", "placement.shared_memory.limits",
               sms("shared memory", 1) == std::vector<SmId>{0, 0, 1} ? "yes" : "no",
               "16 KiB a block: SM 0 has room for 6, with one of Y's for 5, as the others");
  for (const std::string gpu : kOrdered) {
    const std::string key = gpu + " alone";
    const std::vector<SmId> ours = sms(key, 0);
    report.equal(fmt::format("section 4.3 ({}): order of SMs", gpu), fmt::format("placement.{}_order.sms", gpu),
                 order_text(ours, runs.request(key).config.sms));
    report.equal(fmt::format("section 4.4 ({}): one kernel, beside round-robin", gpu),
                 "placement.single_kernel.beside_round_robin",
                 ours == sms(key + " under round_robin", 0) ? "the same" : "another");
  }
  unsigned changed = sms("32x2", 1) != sms("64x1", 1);
  for (const PlacementRow& row : kRows) {
    if (!row.placement) changed += sms(row.name(), 1) != sms(row.name() + ", shaped", 1);
  }
  report.equal("section 4.4: placements that the shape of blocks and grids changes", "placement.shapes.changed",
               std::to_string(changed), "blocks of two dimensions; 32x2 threads as 64x1 among them");
  return report;
}

GPUTLM_REGISTER { add_experiment("most-room/placement", placement_rules); }

}  // namespace
}  // namespace gputlm
