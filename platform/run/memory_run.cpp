#include "platform/run/memory_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/dram/controller.h"
#include "platform/probes/probe_set.h"
#include "platform/run/trace_player.h"
#include "tlm/assembly.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

/// The player, and a controller for each channel.
class Bench {
 public:
  Bench(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options)
      : clock_(Clock::from_mhz(system.dram.command_mhz)), assembly_(options.check_protocol),
        player_(assembly_.add<TracePlayer>("player", TracePlayer::link_to(system.dram), system.dram, system.address_map,
                                           system.player, trace)) {
    for (unsigned i = 0; i < system.dram.channels; ++i) {
      auto& channel =
          assembly_.add<DramController>(fmt::format("channel_{}", i), TracePlayer::link_to(system.dram), system.dram);
      const unsigned ports = channels_of_link(system.dram);
      for (unsigned k = 0; k < ports; ++k) assembly_.bind(player_.channels[i * ports + k], channel.ports[k]);
    }
    if (options.probes) options.probes->attach(assembly_, nullptr, clock_);
  }

  Femtoseconds end(const MemoryResult& result) const { return clock_.edge(result.cycles); }
  RunState run(const std::function<bool(const MemoryProgress&)>& proceed) {
    Assembly::Limits limits;
    if (proceed) {
      limits.proceed = [&](Femtoseconds now) { return proceed({clock_.at_or_before(now), player_.answered()}); };
    }
    return assembly_.run(limits);
  }
  void collect(MemoryResult& result) {
    result.issued = player_.issued();
    result.answered = player_.answered();
    result.latencies = player_.latencies();
    // All channels over the same time. One that is interrupted knows only what was up to its last event.
    Report report = assembly_.report(0);
    result.channels = report.all<DramStatistics>();
    for (const DramStatistics& channel : result.channels) result.cycles = std::max(result.cycles, channel.last_data);
    if (result.state == RunState::kComplete) {
      report = assembly_.report(clock_.edge(result.cycles));
      result.channels = report.all<DramStatistics>();
    }
    result.policies = sum(report.all<PolicyTally>()).records();
    result.checked_transactions = assembly_.checked_transactions();
  }

 private:
  Clock clock_;
  Assembly assembly_;
  TracePlayer& player_;
};

}  // namespace

ApplicationLatency MemoryResult::latency() const {
  ApplicationLatency all;
  for (const ApplicationLatency& application : latencies) {
    all.reads.add(application.reads);
    all.writes.add(application.writes);
  }
  return all;
}

void check(const MemorySystem& system) {
  const Bytes bytes = system.player.bytes, burst = system.dram.burst_bytes;
  if (bytes < burst || bytes > kLineBytes || (bytes & (bytes - 1)) != 0) {
    throw InputError(
        fmt::format("--bytes: found {}, allowed are powers of two from a burst, {}, to {}", bytes, burst, kLineBytes));
  }
}

MemoryResult play(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options) {
  check(system);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Bench bench(system, trace, options);
  MemoryResult result;
  result.state = bench.run(options.proceed);
  bench.collect(result);
  if (options.probes) options.probes->finish(bench.end(result));
  return result;
}

}  // namespace gputlm
