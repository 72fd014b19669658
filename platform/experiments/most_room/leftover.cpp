/// Section 6 of most-room: thread blocks of one kernel after the other. "Only blocks from the kernel at the front of the
/// execution queue can be scheduled [...] even if there is room on an SM for colocation", no block is paused, and so kernels
/// mostly run side by side when they are small.
#include <fmt/format.h>

#include <algorithm>

#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr const char* kLeftoverGpus[] = {"pascal5", "volta80", "turing68"};
constexpr unsigned kWaves = 8;                // waves of the large kernel
constexpr std::uint32_t kLargeThreads = 768;  // at least one block per SM, with room for small ones beside it
constexpr std::uint32_t kSmallBlocks = 4, kSmallThreads = 32;
constexpr Femtoseconds kLargeSpin = 10 * kMicrosecond;

/// A kernel of this many blocks of 768 threads, then one of a few small blocks.
Run leftover_run(const std::string& gpu, const std::string& order, bool large) {
  Run run{experiment_gpu(gpu, {{"work_distributor.kernel_order", order}}), workload_of_streams(2)};
  const unsigned at_once = run.config.sms * (run.config.sm.threads / kLargeThreads);
  launch(run.workload, 0, spin_kernel(large ? kWaves * at_once : at_once / 2, kLargeThreads, kLargeSpin));
  launch(run.workload, 1, spin_kernel(kSmallBlocks, kSmallThreads, kLargeSpin), kMicrosecond);
  return run;
}

struct Leftover {
  Cycle last_of_first = 0, first_of_second = kNever;  ///< starts of blocks
  unsigned paused = 0;                                ///< blocks of the first kernel that took longer than their spin
  double of_the_first = 0;                            ///< share of the first kernel's time in which the second one ran
};

Leftover leftover_of(const std::vector<LaunchOutcome>& outcomes, double mhz) {
  Leftover result;
  const LaunchOutcome &first = outcomes[0], &second = outcomes[1];
  const double spin = static_cast<double>(kLargeSpin) / kMicrosecond * mhz;
  for (const BlockRecord& block : first.blocks) {
    result.last_of_first = std::max(result.last_of_first, block.start);
    result.paused += static_cast<double>(block.end - block.start) > 1.01 * spin;
  }
  for (const BlockRecord& block : second.blocks) result.first_of_second = std::min(result.first_of_second, block.start);
  const double overlap = std::max(0.0, static_cast<double>(std::min(first.end, second.end)) -
                                           static_cast<double>(std::max(first.first_block, second.first_block)));
  result.of_the_first = overlap / static_cast<double>(first.time());
  return result;
}

ExperimentReport leftover(const ExperimentOptions& options) {
  RunSet<std::pair<std::string, bool>> runs;
  for (const char* gpu : kLeftoverGpus) {
    for (const bool large : {false, true}) runs.add({gpu, large}, leftover_run(gpu, options.policy("leftover"), large));
  }
  runs.run(options.jobs());
  ExperimentReport report{"most-room"};
  Table shares({{"gpu"}, {"large", "", "Beside a large kernel", "", 2}, {"small", "", "Beside a small one", "", 2}});
  for (const std::string gpu : kLeftoverGpus) {
    const auto of = [&](bool large) {
      return leftover_of(launch_outcomes(runs.result({gpu, large})), runs.request({gpu, large}).config.core_mhz);
    };
    const Leftover large = of(true), small = of(false);
    shares.add({gpu, large.of_the_first, small.of_the_first});
    report.equal(gpu + ": blocks of the second kernel begin, though there is room", "leftover.second_begins",
                 large.first_of_second > large.last_of_first ? "after the last block of the first" : "before it");
    report.equal(gpu + ": blocks of the first kernel that pause", "leftover.paused", std::to_string(large.paused));
    report.equal(gpu + ": two small kernels", "leftover.small_kernels",
                 small.of_the_first > large.of_the_first ? "more concurrency" : "no more concurrency");
  }
  report.tables = {{fmt::format("How much of a kernel's time another one runs beside it: of blocks of {} threads, {} "
                                "waves of them (large) or half a wave (small), and 1 us later one of {} blocks of {} "
                                "threads",
                                kLargeThreads, kWaves, kSmallBlocks, kSmallThreads),
                    shares}};
  return report;
}

GPUTLM_REGISTER { add_experiment("most-room/leftover", leftover); }

}  // namespace
}  // namespace gputlm
