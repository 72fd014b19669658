#include "platform/run/memory_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "models/dram/controller.h"
#include "models/dram/links.h"
#include "platform/probes/probe.h"
#include "platform/run/trace_player.h"
#include "tlm/assembly.h"
#include "tlm/base/bytes.h"
#include "tlm/base/error.h"

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
    // All channels cover the same time. An interrupted channel has counted only up to its last event.
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

constexpr std::size_t kMaxCounts = std::size_t{1} << 14;

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

void LatencyDistribution::count_long(Cycle latency, std::uint64_t times) {
  if (latency >= kMaxCounts) {
    longer[latency] += times;
    return;
  }
  if (latency >= counts.size()) counts.resize(std::min(kMaxCounts, std::max<std::size_t>(2 * latency, 64)));
  counts[latency] += times;
}

void LatencyDistribution::add(const LatencyDistribution& other) {
  entries += other.entries;
  sum += other.sum;
  for (const auto& [latency, count] : other.table()) count_long(latency, count);
}

double LatencyDistribution::mean() const {
  return entries ? static_cast<double>(sum) / static_cast<double>(entries) : 0.0;
}

Cycle LatencyDistribution::least() const {
  const auto all = table();
  return all.empty() ? 0 : all.begin()->first;
}

Cycle LatencyDistribution::most() const {
  const auto all = table();
  return all.empty() ? 0 : all.rbegin()->first;
}

Cycle LatencyDistribution::quantile(unsigned numerator, unsigned denominator) const {
  std::uint64_t up_to = 0;
  for (const auto& [latency, count] : table()) {
    up_to += count;
    const auto scaled = static_cast<unsigned __int128>(up_to) * denominator;
    if (scaled >= static_cast<unsigned __int128>(entries) * numerator) return latency;
  }
  return 0;
}

std::map<Cycle, std::uint64_t> LatencyDistribution::table() const {
  std::map<Cycle, std::uint64_t> all = longer;
  for (std::size_t latency = 0; latency < counts.size(); ++latency) {
    if (counts[latency] > 0) all.emplace(latency, counts[latency]);
  }
  return all;
}

std::string to_bytes(const MemoryResult& result) { return bytes_of("gputlm mem", result); }
MemoryResult memory_result_from_bytes(std::string_view bytes) { return from_bytes<MemoryResult>("gputlm mem", bytes); }

}  // namespace gputlm
