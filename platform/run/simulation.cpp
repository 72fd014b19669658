#include "platform/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>

#include "models/work_distributor/oracle.h"
#include "models/work_distributor/resources.h"
#include "platform/run/gpu.h"
#include "platform/probes/recorder.h"
#include "platform/input/sm_set.h"
#include "tlm/error.h"
#include "tlm/module.h"

namespace gputlm {
namespace {

/// Simulates in steps of simulated time, as long as it takes for about a tenth of a second of the host's between two
/// looks at `proceed`. The length of a step does not change results.
RunState run_to_end(const Gpu& gpu, const Clock& clock, const RunOptions& options, const Workload& workload,
                    const Recorder& recorder) {
  Progress progress;
  progress.kernels = workload.launches.size();
  for (const LaunchCommand& launch : workload.launches) progress.blocks += launch.kernel->blocks();
  Cycle step = 1000;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates; from here on, no pending event means no progress
  while (!gpu.host().done()) {
    if (!sc_core::sc_pending_activity()) return RunState::kDeadlocked;
    const Cycle now = clock.at_or_before(now_fs());
    if (now >= options.cycle_limit) return RunState::kCycleLimit;
    progress.cycles = now;
    progress.blocks_done = recorder.blocks_done();
    progress.kernels_done = gpu.host().ended();
    if (options.proceed && !options.proceed(progress)) return RunState::kInterrupted;
    const auto began = std::chrono::steady_clock::now();
    const sc_core::sc_time length = to_sc_time(clock.edge(std::min(step, options.cycle_limit - now)));
    // Where nothing happens within the step (before a late release), time would stand still, and SystemC says so on
    // stdout. Otherwise it must not run past the last event: that is when a deadlock began.
    const bool quiet = sc_core::sc_time_to_pending_activity() > length;
    sc_core::sc_start(length, quiet ? sc_core::SC_RUN_TO_TIME : sc_core::SC_EXIT_ON_STARVATION);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (took.count() < 0.05 && step < Cycle{1} << 40) step *= 2;
    if (took.count() > 0.2 && step > 1000) step /= 2;
  }
  return RunState::kComplete;
}

void check_partitions(const GpuConfig& config, const Workload& workload) {
  for (const ApplicationSpec& application : workload.applications) {
    if (!application.sms) continue;
    const SmSet beyond = *application.sms & ~sm_range(0, config.sms - 1);
    if (application.sms->none() || beyond.any()) {
      throw InputError(application.file, application.line,
                       fmt::format("application {}: found {}, allowed: SMs of {}, 0 to {}", application.name,
                                   beyond.any() ? "SM " + to_text(beyond) : "no SM", config.name, config.sms - 1));
    }
  }
}

/// Where applications are launched again: a device synchronize would wait for launches without end, and "LABEL@2" is
/// the second launch of LABEL.
void check_relaunch(const Workload& workload) {
  if (!workload.relaunches()) return;
  std::set<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.insert(launch.label);
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.phase > 0) {
      throw InputError(launch.file, launch.line,
                       fmt::format("launch {}: found phase {}, allowed is 0 only where an application has `relaunch`",
                                   launch.label, launch.phase));
    }
    const std::size_t at = launch.label.rfind('@');
    if (at != std::string::npos && labels.count(launch.label.substr(0, at)) > 0) {
      throw InputError(
          launch.file, launch.line,
          fmt::format("launch {}: the label is that of a relaunch of {}", launch.label, launch.label.substr(0, at)));
    }
  }
}

void check_alone_cycles(const GpuConfig& config, const Workload& workload) {
  const std::string& order = config.work_distributor.kernel_order;
  if (!is_oracle(order)) return;
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.alone_cycles) continue;
    throw InputError(launch.file, launch.line,
                     fmt::format("launch {}: found no alone_cycles, but work_distributor.kernel_order={} needs them of "
                                 "every launch: its cycles when nothing else runs, 1 or more",
                                 launch.label, order));
  }
}

}  // namespace

void check_fits(const GpuConfig& config, const Workload& workload) {
  check_partitions(config, workload);
  check_relaunch(workload);
  check_alone_cycles(config, workload);
  const Resources limit = capacity(config.sm);
  for (const LaunchCommand& launch : workload.launches) {
    const Kernel& kernel = *launch.kernel;
    const auto reject = [&](const std::string& what, Bytes found, Bytes allowed) {
      throw InputError(launch.file, launch.line,
                       fmt::format("launch {}: a block of kernel {} has {} {}; an SM of {} allows {}", launch.label,
                                   kernel.name, found, what, config.name, allowed));
    };
    if (kernel.blocks() == 0 || kernel.threads_per_block() == 0) {
      throw InputError(launch.file, launch.line,
                       fmt::format("launch {}: kernel {} has {} blocks of {} threads; both must be at least 1",
                                   launch.label, kernel.name, kernel.blocks(), kernel.threads_per_block()));
    }
    const Resources takes = block_demand(kernel, config.sm, config.work_distributor).takes;
    if (takes.threads > config.sm.max_threads_per_block) {
      reject("threads", takes.threads, config.sm.max_threads_per_block);
    }
    if (takes.threads > limit.threads) reject("threads", takes.threads, limit.threads);
    if (takes.warps > limit.warps) reject("warps", takes.warps, limit.warps);
    if (takes.registers > limit.registers) reject("registers", takes.registers, limit.registers);
    if (takes.shared_memory > limit.shared_memory) {
      reject("bytes of shared memory", takes.shared_memory, limit.shared_memory);
    }
  }
}

void check_window(const GpuConfig& config, unsigned window) {
  if (const unsigned largest = largest_window(config); window > largest) {
    throw InputError(fmt::format("--window: found {}, allowed: 1 to {} cycles, the shortest hop of {}", window, largest,
                                 config.name));
  }
}

RunResult simulate(const GpuConfig& config, const Workload& workload, const RunOptions& options) {
  check_fits(config, workload);
  check_window(config, options.window);
  const unsigned window = options.window ? options.window : largest_window(config);
  RunResult result;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  PredictionLog predictions(workload, options.predictions_csv, options.keep_predictions, result.predictions);
  Recorder recorder(workload, clock, options.blocks_csv, options.keep_blocks, predictions, result);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(config, workload, window, options.check_protocol, recorder, recorder);
  // Units stop there, however far their windows reach: so what they have done does not depend on the window.
  if (options.cycle_limit != kNever) gpu.stop_at(options.cycle_limit);
  recorder.on_end = [&](Cycle at) {
    if (at <= options.cycle_limit) gpu.stop_at(at);
  };
  try {
    result.state = run_to_end(gpu, clock, options, workload, recorder);
  } catch (const sc_core::sc_report& report) {
    // SystemC wraps what a process throws: reading a trace, or hardware that holds less than is asked of it.
    if (WindowedModule::failure()) std::rethrow_exception(WindowedModule::failure());
    throw std::runtime_error(report.what());
  }
  if (const auto violations = gpu.protocol_violations(); !violations.empty()) {
    throw std::runtime_error(fmt::format("TLM-2.0 base protocol violated: {}", fmt::join(violations, "; ")));
  }
  if (result.state == RunState::kDeadlocked) result.waiting = gpu.waiting();
  const bool complete = result.state == RunState::kComplete;
  const Cycle reached = complete ? recorder.end() : clock.at_or_before(now_fs());
  recorder.finish(gpu.host().running(), gpu.work_distributor().core().outstanding());
  gpu.collect(result, reached);
  result.cycles = complete && !workload.relaunches() ? 0 : reached;
  for (const KernelRecord& kernel : result.kernels) result.cycles = std::max(result.cycles, kernel.end);
  result.checked_sockets = gpu.checked_sockets();
  result.checked_transactions = gpu.checked_transactions();
  return result;
}

}  // namespace gputlm
