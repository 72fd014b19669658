#include "platform/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/probes/probe_set.h"
#include "platform/run/check_fits.h"
#include "platform/run/gpu.h"
#include "platform/run/recorder.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

void check_cycle_limit(const GpuConfig& config, Cycle limit) {
  const Cycle most = Clock::from_mhz(config.core_mhz).at_or_before(kEndOfTime);
  if (limit == kNever || limit <= most) return;
  throw InputError(
      fmt::format("--max-cycles: found {}, allowed: up to {}, five hours of {}", limit, most, config.name));
}

}  // namespace

RunResult simulate(const GpuConfig& config, const Workload& workload, const RunOptions& options) {
  check_fits(config, workload);
  check_cycle_limit(config, options.cycle_limit);
  RunResult result;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(config, workload, options.window, options.check_protocol, options.durations);
  const std::vector<WorkDistributor*> distributors = gpu.work_distributors();
  if (options.predict || options.keep_predictions) {
    for (WorkDistributor* const distributor : distributors) distributor->core().predict();
  }
  Assembly& assembly = gpu.assembly();
  assembly.set_threads(options.threads);
  Recorder recorder(gpu.host(), distributors, workload, {options.keep_blocks, options.keep_predictions}, result);
  if (options.probes) options.probes->attach(assembly, &workload, clock);
  gpu.make_use_of_spins(workload);

  Progress progress;
  progress.kernels = workload.launches.size();
  for (const LaunchCommand& launch : workload.launches) progress.blocks += launch.kernel->blocks();
  Assembly::Limits limits;
  limits.end = clock.edge(options.cycle_limit);
  limits.proceed = [&](Femtoseconds now) {
    progress.cycles = clock.at_or_before(now);
    progress.blocks_done = 0;
    for (const WorkDistributor* const distributor : distributors)
      progress.blocks_done += distributor->core().blocks_done();
    progress.kernels_done = gpu.host().core().ended();
    return !options.proceed || options.proceed(progress);
  };
  result.state = assembly.run(limits);
  if (options.windows && options.threads > 1) options.windows(assembly.windows().all, assembly.windows().together);

  if (result.state == RunState::kDeadlocked) result.waiting = assembly.waiting();
  const bool complete = result.state == RunState::kComplete;
  const Cycle reached = clock.at_or_before(complete ? assembly.end() : now_fs());
  gpu.collect(result, reached);  // units that have not computed all until then do so
  recorder.finish();
  if (options.probes) options.probes->finish(clock.edge(reached));
  result.cycles = complete && !workload.relaunches() ? 0 : reached;
  for (const KernelRecord& kernel : result.kernels) result.cycles = std::max(result.cycles, kernel.end);
  for (const CopyRecord& copy : result.copies) result.cycles = std::max(result.cycles, copy.ended);
  result.checked_sockets = assembly.checkers().size();
  result.checked_transactions = assembly.checked_transactions();
  return result;
}

}  // namespace gputlm
