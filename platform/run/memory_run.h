/// One run of an address trace on DRAM controllers, from elaboration to result, as JSON (docs/memory.md) and as text.
/// SystemC allows one run per process; experiments that need several use platform/lab/jobs.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/controller_core.h"
#include "models/memory_map/config.h"
#include "platform/input/address_trace.h"
#include "platform/run/result.h"
#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

// An exact distribution of latencies in cycles: each value is counted. Written by hand: 13 instructions per value against 20
// of Boost.Histogram, whose axis would grow to the longest latency (docs/speed.md).

struct LatencyDistribution {
  std::uint64_t entries = 0;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> counts;      ///< number of values of each latency, up to the bound to which it grows
  std::map<Cycle, std::uint64_t> longer;  ///< number of values of each latency beyond that bound

  void add(Cycle latency) {
    ++entries;
    sum += latency;
    if (latency < counts.size()) {
      ++counts[latency];
    } else {
      count_long(latency, 1);
    }
  }
  void add(const LatencyDistribution& other);

  std::uint64_t count() const { return entries; }
  /// The following are 0 without values.
  double mean() const;
  Cycle least() const;
  Cycle most() const;
  /// The smallest latency that at least `numerator` / `denominator` of all values do not exceed (nearest rank).
  Cycle quantile(unsigned numerator, unsigned denominator) const;
  /// Number of values of each latency that occurs, in ascending order.
  std::map<Cycle, std::uint64_t> table() const;

  /// Part of add() that leaves `entries` and `sum` alone.
  void count_long(Cycle latency, std::uint64_t times);

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = LatencyDistribution;
    constexpr Value kCommandCycles{"command cycles"};
    const auto some = [](auto value) {
      return [value](const S& s) { return s.entries ? std::optional(value(s)) : std::nullopt; };
    };
    v.field(&S::entries, "accesses", Value{"accesses"}, "Number of answered accesses");
    v.field(some([](const S& s) { return s.mean(); }), "mean_cycles", kCommandCycles,
            "Mean time from arrival at the controller to departure of the answer");
    v.field(some([](const S& s) { return s.least(); }), "min_cycles", kCommandCycles, "Minimum");
    v.field(some([](const S& s) { return s.quantile(50, 100); }), "p50_cycles", kCommandCycles,
            "Median, by nearest rank");
    v.field(some([](const S& s) { return s.quantile(99, 100); }), "p99_cycles", kCommandCycles, "99th percentile");
    v.field(some([](const S& s) { return s.most(); }), "max_cycles", kCommandCycles, "Maximum");
  }
};

// How an address trace is played on DRAM controllers, and what is measured. Separate from the player (trace_player.h), so
// that callers of a run do not compile SystemC, which takes a second.

/// How a trace is played.
struct PlayerConfig {
  Bytes bytes = 64;          ///< size of an access and its alignment: a power of two up to kLineBytes
  unsigned outstanding = 0;  ///< maximum number of accesses that wait for a response; 0: limited by the queues only
  Cycle interval = 0;        ///< minimum number of cycles between two issues; 0: no limit
  unsigned trace_mhz = 0;    ///< clock of the cycles in the trace, MHz; 0: the command clock
};

/// Latencies of an application's accesses.
struct ApplicationLatency {
  LatencyDistribution reads, writes;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.record(&ApplicationLatency::reads, "reads", "Latency of reads");
    v.record(&ApplicationLatency::writes, "writes", "Latency of writes");
  }
};

class ProbeSet;  // platform/probes/probe.h

struct MemorySystem {
  DramConfig dram;
  MemoryMapConfig address_map;  ///< spread of addresses over the channels
  PlayerConfig player;
};

struct MemoryProgress {
  Cycle cycles = 0;
  std::uint64_t answered = 0;
};

struct MemoryRunOptions {
  bool check_protocol = false;  ///< TLM-2.0 base protocol on every socket; violations become an exception
  ProbeSet* probes = nullptr;   ///< attached to the controllers; the caller commits their output
  /// Called from time to time; false ends the run, which is then incomplete.
  std::function<bool(const MemoryProgress&)> proceed;
};

struct MemoryResult {
  RunState state = RunState::kComplete;
  Cycle cycles = 0;            ///< command cycles until the end of the last data, or until the run was cut
  std::uint64_t issued = 0;    ///< number of accesses issued
  std::uint64_t answered = 0;  ///< number of accesses answered
  std::vector<DramStatistics> channels;
  std::vector<PolicyRecord> policies;
  std::vector<ApplicationLatency> latencies;  ///< latencies, indexed by ApplicationId
  std::uint64_t checked_transactions = 0;     ///< number of transactions that protocol checkers have seen
  ApplicationLatency latency() const;         ///< latency over all applications
};

/// Throws InputError for an access size that the system does not support: below a burst, above a line, no power of two.
void check(const MemorySystem& system);

/// Throws InputError for an inconsistent system (DramControllerCore, MemoryMap, an access smaller than a burst or larger than
/// a line) and for a trace that cannot be read.
MemoryResult play(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options);

/// As for RunResult (platform/run/result.h).
std::string to_bytes(const MemoryResult& result);
MemoryResult memory_result_from_bytes(std::string_view bytes);

/// Figures of a run that are derived from counters.
struct MemoryFigures {
  MemoryFigures(const MemoryResult& result, const DramConfig& dram);
  DramStatistics total;  ///< summed over all channels
  double nanoseconds;
  double gigabytes_per_second;  ///< 10^9 bytes of bursts moved, averaged over the whole run
  double peak;                  ///< the same rate if data moved in every cycle
  double cycles_per_burst;      ///< command cycles per burst of a channel; each has a bus of its own
};

/// memory.json. `trace` and `seed` are those of the command line.
nlohmann::ordered_json to_json(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                               const std::string& trace, std::uint64_t seed);

std::string summary(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                    const std::string& trace);

}  // namespace gputlm
