/// An ERCBench kernel alone on gtx480, measured as table 3 of srtf does.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/experiments/srtf/runs.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {

struct ErcbenchMeasurement {
  double mean_t = 0, rsd_percent = 0;  ///< durations of blocks: mean in cycles, relative standard deviation in per cent
  Cycle runtime = 0;
  unsigned most_resident = 0;  ///< maximum number of blocks on an SM at a time
};

/// Maximum number of blocks on one SM at a time. A block that ends makes room before the next one starts.
inline unsigned most_resident(const std::vector<BlockRecord>& blocks, SmId sm) {
  std::vector<std::pair<Cycle, int>> events;
  for (const BlockRecord& b : blocks) {
    if (b.sm != sm) continue;
    events.push_back({b.start, 1});
    events.push_back({b.end, -1});
  }
  std::sort(events.begin(), events.end());
  int now = 0, most = 0;
  for (const auto& [at, change] : events) most = std::max(most, now += change);
  return static_cast<unsigned>(most);
}

inline ErcbenchMeasurement measure_alone(const ProgramSpec& spec, std::uint64_t seed = 1) {
  const GpuConfig gpu = experiment_gpu("gtx480");
  Run run{gpu, workload_of_streams(1)};
  launch(run.workload, 0, std::make_shared<ProgramKernel>(spec, seed));
  RunSet<int> runs;
  runs.add(0, run);
  runs.run({});
  const LaunchOutcome outcome = launch_outcomes(runs.result(0)).at(0);
  ErcbenchMeasurement result;
  double sum = 0, squares = 0;
  for (const BlockRecord& b : outcome.blocks) {
    const auto t = static_cast<double>(b.end - b.start);
    sum += t;
    squares += t * t;
  }
  const auto n = static_cast<double>(outcome.blocks.size());
  result.mean_t = sum / n;
  result.rsd_percent = 100 * std::sqrt(squares / n - result.mean_t * result.mean_t) / result.mean_t;
  result.runtime = outcome.time();
  for (SmId sm = 0; sm < gpu.sms; ++sm)
    result.most_resident = std::max(result.most_resident, most_resident(outcome.blocks, sm));
  return result;
}

}  // namespace gputlm
