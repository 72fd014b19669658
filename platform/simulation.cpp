#include "platform/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>

#include "models/work_distributor/resources.h"
#include "platform/gpu.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// Takes down what ends, as it ends: kernels in memory, blocks to a file.
class Recorder final : public BlockObserver, public KernelObserver {
 public:
  Recorder(const Workload& workload, const Clock& clock, const RunOptions& options, RunResult& result)
      : workload_(workload), clock_(clock), keep_blocks_(options.keep_blocks), csv_(options.blocks_csv),
        result_(result) {
    if (csv_) csv_->write("kernel,block,sm,start_cycle,end_cycle,start_ns,end_ns\n");
  }
  void block_ended(const BlockLaunch& block) override {
    ++blocks_done;
    UnfinishedKernel& kernel = running_[block.id];
    kernel.first_block = kernel.blocks_ended++ ? std::min(kernel.first_block, block.start) : block.start;
    kernel.counters += block.counters;
    if (keep_blocks_) result_.blocks.push_back({block.id, block.block, block.sm, block.start, block.end});
    if (!csv_) return;
    buffer_.clear();
    write_field(workload_.launches[block.id].label);
    fmt::format_to(std::back_inserter(buffer_), ",{},{},{},{},{},{}\n", block.block, block.sm, block.start, block.end,
                   nanoseconds(block.start), nanoseconds(block.end));
    csv_->write({buffer_.data(), buffer_.size()});
  }
  void kernel_ended(const KernelLaunch& k, Cycle released, Cycle submitted, Cycle notified) override {
    running_.erase(k.id);
    result_.kernels.push_back({k.id, released, submitted, k.arrived, k.first_block, k.end, notified, k.counters});
  }
  /// Kernels with blocks that ended before the run did, but that did not end themselves.
  void collect_unfinished() const {
    for (const auto& [id, kernel] : running_) {
      result_.unfinished.push_back(kernel);
      result_.unfinished.back().id = id;
    }
  }
  std::uint64_t blocks_done = 0;

 private:
  /// Quoted where CSV needs it (RFC 4180): kernels of a trace may have C++ signatures as names.
  void write_field(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
      buffer_.append(text);
      return;
    }
    buffer_.push_back('"');
    for (const char c : text) {
      if (c == '"') buffer_.push_back('"');
      buffer_.push_back(c);
    }
    buffer_.push_back('"');
  }
  std::string nanoseconds(Cycle cycle) const {  // exact: cycles are whole femtoseconds
    const Femtoseconds fs = clock_.edge(cycle);
    return fmt::format("{}.{:03}", fs / 1000000, fs % 1000000 / 1000);
  }
  const Workload& workload_;
  Clock clock_;
  bool keep_blocks_;
  AtomicFile* csv_;
  RunResult& result_;
  std::map<KernelId, UnfinishedKernel> running_;
  fmt::memory_buffer buffer_;
};

/// Simulates in steps of simulated time, as long as it takes for about a tenth of a second of the host's between two
/// looks at `proceed`. The length of a step does not change results.
RunState run_to_end(const Gpu& gpu, const Clock& clock, const RunOptions& options, const Workload& workload,
                    const Recorder& recorder, const RunResult& result) {
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
    progress.blocks_done = recorder.blocks_done;
    progress.kernels_done = result.kernels.size();
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

}  // namespace

void check_fits(const GpuConfig& config, const Workload& workload) {
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
  Recorder recorder(workload, clock, options, result);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(config, workload, window, options.check_protocol, recorder, recorder);
  try {
    result.state = run_to_end(gpu, clock, options, workload, recorder, result);
  } catch (const sc_core::sc_report& report) {
    // SystemC wraps what a process throws; only reading a trace can throw there.
    if (gpu.work_distributor().failure()) std::rethrow_exception(gpu.work_distributor().failure());
    throw std::runtime_error(report.what());
  }
  if (const auto violations = gpu.protocol_violations(); !violations.empty()) {
    throw std::runtime_error(fmt::format("TLM-2.0 base protocol violated: {}", fmt::join(violations, "; ")));
  }
  if (result.state == RunState::kDeadlocked) result.waiting = gpu.waiting();
  std::sort(result.kernels.begin(), result.kernels.end(),
            [](const KernelRecord& a, const KernelRecord& b) { return a.id < b.id; });
  result.cycles = result.state == RunState::kComplete ? 0 : clock.at_or_before(now_fs());
  for (const KernelRecord& kernel : result.kernels) result.cycles = std::max(result.cycles, kernel.end);
  gpu.collect(result);
  recorder.collect_unfinished();
  result.checked_sockets = gpu.checked_sockets();
  result.checked_transactions = gpu.checked_transactions();
  return result;
}

}  // namespace gputlm
