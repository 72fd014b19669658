#include "platform/experiments/silicon/cache_points.h"

#include <algorithm>

#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

Bytes bytes_at(const CachePoint& point) { return point.kib * Bytes{1024}; }

}  // namespace

Run CacheReading::run(const CachePoint& point) const {
  Run run{experiment_gpu(point.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  const L2Reading reading{bytes_at(point), pieces};
  const std::vector<unsigned>& amounts = point.is_l1() ? sweeps : waves;
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    std::uint32_t blocks = amounts[i] * l2_readers_at_once(run.config);
    if (i == 0) blocks = std::max(blocks, reading.different_blocks());
    launch(run.workload, 0,
           point.is_l1() ? l1_reader(run.config, bytes_at(point), amounts[i], adds) : l2_reader(blocks, reading, adds));
  }
  return run;
}

double CacheReading::gb_per_s(const CachePoint& point, const Run& run, const RunResult& result) const {
  const GpuConfig& gpu = run.config;
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const double cycles = static_cast<double>(outcomes.at(2).time()) - static_cast<double>(outcomes.at(1).time());
  const std::vector<unsigned>& amounts = point.is_l1() ? sweeps : waves;
  const Bytes of_one = point.is_l1() ? bytes_at(point) * gpu.sms : l2_part() * l2_readers_at_once(gpu);
  return static_cast<double>(of_one * (amounts.at(2) - amounts.at(1))) / cycles * gpu.core_mhz / 1000;
}

}  // namespace gputlm
