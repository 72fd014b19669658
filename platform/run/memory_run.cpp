#include "platform/run/memory_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>

#include "models/dram/controller.h"
#include "platform/probes/command_log.h"
#include "platform/run/trace_player.h"
#include "tlm/checker.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

void check(const MemorySystem& system) {
  const Bytes bytes = system.player.bytes, burst = system.dram.burst_bytes;
  if (bytes < burst || bytes > kLineBytes || (bytes & (bytes - 1)) != 0) {
    throw InputError(
        fmt::format("--bytes: found {}, allowed are powers of two from a burst, {}, to {}", bytes, burst, kLineBytes));
  }
}

/// The player, and a controller for each channel.
class Bench {
 public:
  Bench(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options)
      : clock_(Clock::from_mhz(system.dram.command_mhz)), window_(system.dram.latency * clock_.period()),
        player_("player", window_, system.dram, system.address_map, system.player, trace) {
    for (unsigned i = 0; i < system.dram.channels; ++i) {
      channels_.push_back(std::make_unique<DramController>(fmt::format("channel_{}", i).c_str(), window_, clock_,
                                                           system.dram, 1, TracePlayer::response_queue(system.dram)));
      if (options.check_protocol) {
        checkers_.push_back(std::make_unique<ProtocolChecker>(fmt::format("checker_{}", i).c_str()));
        player_.socket(i).bind(checkers_.back()->target);
        checkers_.back()->initiator.bind(channels_.back()->socket(0));
      } else {
        player_.socket(i).bind(channels_.back()->socket(0));
      }
      if (options.commands_csv) {
        logs_.push_back(std::make_unique<CommandLog>(*options.commands_csv, i));
        channels_.back()->core().observe(logs_.back().get());
      }
    }
  }

  const Clock& clock() const { return clock_; }
  const TracePlayer& player() const { return player_; }
  /// Throws what reading the trace or writing the commands has thrown.
  void check_failures() const {
    if (player_.failure()) std::rethrow_exception(player_.failure());
    for (const auto& log : logs_) {
      if (log->failure()) std::rethrow_exception(log->failure());
    }
  }
  void collect(MemoryResult& result) {
    result.issued = player_.issued();
    result.answered = player_.answered();
    result.latencies = player_.latencies();
    for (const auto& channel : channels_) {
      result.cycles = std::max(result.cycles, channel->core().statistics().last_data);
    }
    // All channels over the same time. One that is interrupted knows only what was up to its last event.
    const Cycle until = result.state == RunState::kComplete ? result.cycles : 0;
    for (const auto& channel : channels_) result.channels.push_back(channel->core().statistics(until));
    std::string violations;
    for (const auto& checker : checkers_) {
      result.checked_transactions += checker->transactions();
      for (const std::string& violation : checker->violations()) violations += "; " + violation;
    }
    if (!violations.empty()) throw std::runtime_error("TLM-2.0 base protocol violated" + violations);
  }

 private:
  Clock clock_;
  Femtoseconds window_;
  TracePlayer player_;
  std::vector<std::unique_ptr<DramController>> channels_;
  std::vector<std::unique_ptr<ProtocolChecker>> checkers_;
  std::vector<std::unique_ptr<CommandLog>> logs_;
};

/// Simulates in steps of simulated time, as long as it takes for about a tenth of a second of the host's between two
/// looks at `proceed`. The length of a step does not change results.
RunState run_to_end(const Bench& bench, const MemoryRunOptions& options) {
  Cycle step = 1000;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates; from here on, no pending event means no progress
  while (!bench.player().done()) {
    bench.check_failures();
    if (!sc_core::sc_pending_activity()) return RunState::kDeadlocked;
    const MemoryProgress progress{bench.clock().at_or_before(now_fs()), bench.player().answered()};
    if (options.proceed && !options.proceed(progress)) return RunState::kInterrupted;
    const auto began = std::chrono::steady_clock::now();
    const sc_core::sc_time length = to_sc_time(bench.clock().edge(step));
    // Where nothing happens within the step (before a late time stamp), time would stand still, and SystemC says so on
    // stdout.
    const bool quiet = sc_core::sc_time_to_pending_activity() > length;
    sc_core::sc_start(length, quiet ? sc_core::SC_RUN_TO_TIME : sc_core::SC_EXIT_ON_STARVATION);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    if (took.count() < 0.05 && step < kMostTraceCycle) step *= 2;
    if (took.count() > 0.2 && step > 1000) step /= 2;
  }
  bench.check_failures();
  return RunState::kComplete;
}

}  // namespace

ApplicationLatency MemoryResult::latency() const {
  ApplicationLatency all;
  for (const ApplicationLatency& application : latencies) {
    all.reads.add(application.reads);
    all.writes.add(application.writes);
  }
  return all;
}

MemoryResult play(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options) {
  check(system);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Bench bench(system, trace, options);
  MemoryResult result;
  result.state = run_to_end(bench, options);
  bench.collect(result);
  return result;
}

}  // namespace gputlm
