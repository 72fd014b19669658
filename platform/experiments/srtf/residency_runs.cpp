#include "platform/experiments/srtf/residency_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/kernel/program_kernel.h"
#include "platform/lab/metrics.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

constexpr unsigned kWaves = 4, kWavesBesideOthers = 3, kQuickWaves = 2;
constexpr std::uint32_t kPasses = 2, kPassesBesideOthers = 4;

Bytes rounded_down(Bytes bytes, const GpuConfig& gpu) {
  const Bytes step = gpu.work_distributor.shared_memory_granularity;
  return bytes / step * step;
}

/// `passes`: of a thread of SHA1, over 64 bytes each, the iterations of its only outer loop.
std::shared_ptr<Kernel> make_kernel(const ErcbenchKernel& kernel, std::uint64_t blocks, Bytes shared_memory,
                                    std::uint32_t passes, std::uint64_t seed, unsigned instance) {
  ProgramSpec spec = ercbench_program(kernel, 0, instance);
  spec.grid = {static_cast<std::uint32_t>(blocks)};
  spec.shared_memory = shared_memory;
  if (kernel.name == "SHA1") {
    for (ProgramElement& element : spec.body) {
      if (auto* loop = std::get_if<LoopElement>(&element.what)) loop->count = passes;
    }
  }
  return std::make_shared<ProgramKernel>(spec, seed);
}

Run run_alone(const ResidencyRun& what, const ExperimentOptions& options) {
  const ErcbenchKernel& kernel = ercbench()[what.kernel];
  Run run{experiment_gpu("gtx480"), workload_of_streams(1)};
  const std::uint64_t blocks = run.config.sms * kernel.residency * (options.quick ? kQuickWaves : kWaves);
  const Bytes memory = rounded_down(run.config.sm.shared_memory / what.residency, run.config);
  launch(run.workload, 0, make_kernel(kernel, blocks, memory, kPasses, options.seed, 0));
  return run;
}

/// Under MPMax each kernel leaves room for a block of the other. Another block of the co-runner would not fit on an SM,
/// nor another one of the kernel beside the co-runner's.
Run run_beside(const ResidencyRun& what, const ExperimentOptions& options) {
  const ErcbenchKernel &kernel = ercbench()[what.kernel], &other = ercbench()[what.co_runner];
  Run run{experiment_gpu("gtx480", {{"work_distributor.kernel_order", "mpmax"}}), workload_of_streams(2)};
  const unsigned own_waves = options.quick ? kQuickWaves : kWavesBesideOthers;
  const Bytes all = run.config.sm.shared_memory;
  const Bytes memory =
      rounded_down(all / (what.co_residency + 1), run.config) + run.config.work_distributor.shared_memory_granularity;
  const Bytes rest = rounded_down((all - what.co_residency * memory) / what.residency, run.config);
  // Blocks of the kernel take at most half as long again as at full residency, the co-runner's at least a quarter.
  const std::uint64_t waves = 1 + own_waves * kernel.mean_t * 3 / 2 / (other.mean_t / 4);
  launch(run.workload, 0,
         make_kernel(other, run.config.sms * what.co_residency * waves, memory, kPassesBesideOthers, options.seed, 0));
  launch(run.workload, 1,
         make_kernel(kernel, run.config.sms * what.residency * own_waves, rest, kPassesBesideOthers, options.seed, 1));
  return run;
}

unsigned most_resident(const std::vector<BlockRecord>& blocks) {
  std::vector<std::pair<std::pair<SmId, Cycle>, int>> events;
  for (const BlockRecord& b : blocks) {
    events.push_back({{b.sm, b.start}, 1});
    events.push_back({{b.sm, b.end}, -1});
  }
  std::sort(events.begin(), events.end());  // an end makes room before a start of the same cycle
  int now = 0, most = 0;
  for (const auto& event : events) most = std::max(most, now += event.second);
  return static_cast<unsigned>(most);
}

/// When the first place of a block became free for which there was none left.
Cycle exhausted(const std::vector<BlockRecord>& blocks, std::size_t places) {
  std::vector<Cycle> ends;
  ends.reserve(blocks.size());
  for (const BlockRecord& b : blocks) ends.push_back(b.end);
  std::sort(ends.begin(), ends.end());
  return ends.at(ends.size() - places);
}

}  // namespace

void ResidencyRuns::add(const ResidencyRun& run) {
  if (!sweep_.has(run)) sweep_.add(run, run.co_residency == 0 ? run_alone(run, options_) : run_beside(run, options_));
}

ResidencyOutcome ResidencyRuns::operator[](const ResidencyRun& run) const {
  const std::vector<LaunchOutcome> launches = launch_outcomes(sweep_.result(run));
  const LaunchOutcome& launched = launches.back();
  Cycle sum = 0;
  for (const BlockRecord& b : launched.blocks) sum += b.end - b.start;
  ResidencyOutcome result;
  result.mean_t = ratio(static_cast<double>(sum), static_cast<double>(launched.blocks.size()));
  result.runtime = launched.time();
  result.held = most_resident(launched.blocks) == run.residency;
  if (run.co_residency == 0) return result;
  const std::vector<BlockRecord>& others = launches.front().blocks;
  result.held = result.held && most_resident(others) == run.co_residency;
  if (launched.end > exhausted(others, std::size_t{sweep_.request(run).config.sms} * run.co_residency)) {
    throw std::runtime_error(fmt::format("{} blocks of {} had started before {} ended", others.size(),
                                         ercbench()[run.co_runner].name, ercbench()[run.kernel].name));
  }
  return result;
}

}  // namespace gputlm
