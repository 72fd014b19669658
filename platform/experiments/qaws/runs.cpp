#include "platform/experiments/qaws/runs.h"

#include <map>
#include <numeric>

#include "platform/lab/metrics.h"
#include "platform/lab/plan.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

constexpr Cycle kApart = 8;  // section V-B: K2 is launched "8 cycles in GPGPU-Sim" after K1

Run make_run(const QawsRun& run, const ExperimentOptions& options) {
  Run result{experiment_gpu(plan("qaws/homogeneous").gpu(), {{"sm.warp_scheduler", run.policy}}),
             workload_of_streams(static_cast<unsigned>(run.kernels.size()))};
  const Clock clock = Clock::from_mhz(result.config.core_mhz);
  for (unsigned i = 0; i < run.kernels.size(); ++i) {
    const QawsShape shape{result.config.sms, run.reading, options.quick ? 4u : 1u, i};
    const std::size_t id =
        launch(result.workload, i, qaws_kernel(run.kernels[i].program, shape, options.seed), clock.edge(kApart * i));
    result.workload.launches[id].budget = static_cast<std::uint8_t>(run.kernels[i].budget);
  }
  return result;
}

/// Blocks of equal numbers of warps on every SM, and none that had to wait for another of its kernel to end.
bool even(const QawsRun& run, const Run& made, const std::vector<LaunchOutcome>& launches) {
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Kernel& kernel = *made.workload.launches[i].kernel;
    const auto warps = static_cast<unsigned>((kernel.block.count() + kWarpSize - 1) / kWarpSize);
    std::map<SmId, unsigned> on_sm;
    Cycle last_start = 0, first_end = kNever;
    for (const BlockRecord& block : launches[i].blocks) {
      on_sm[block.sm] += warps;
      last_start = std::max(last_start, block.start);
      first_end = std::min(first_end, block.end);
    }
    if (on_sm.size() != made.config.sms || last_start >= first_end) return false;
    for (const auto& [sm, count] : on_sm) {
      if (count != run.reading.warps) return false;
    }
  }
  return true;
}

}  // namespace

double QawsOutcome::mean() const { return gputlm::mean({response.begin(), response.end()}); }

void QawsRuns::add(const QawsRun& run) {
  if (!sweep_.has(run)) sweep_.add(run, make_run(run, options_));
}

QawsOutcome QawsRuns::operator[](const QawsRun& run) const {
  const std::vector<LaunchOutcome> launches = launch_outcomes(sweep_.result(run));
  QawsOutcome outcome;
  for (const LaunchOutcome& l : launches) outcome.response.push_back(l.end - l.arrived);
  outcome.even = even(run, sweep_.request(run), launches);
  std::uint64_t memory = 0, all = 0;
  for (const KernelRecord& k : sweep_.result(run).kernels) {
    memory += k.counters.stall[static_cast<std::size_t>(Stall::kMemory)];
    all +=
        k.counters.instructions + std::accumulate(k.counters.stall.begin(), k.counters.stall.end(), std::uint64_t{0});
  }
  outcome.waits_for_memory = ratio(memory, all);
  return outcome;
}

}  // namespace gputlm
