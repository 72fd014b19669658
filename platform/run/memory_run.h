/// One run of an address trace on DRAM controllers, from elaboration to result. SystemC allows one a process:
/// experiments that need several use platform/lab/jobs.h.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/controller_core.h"
#include "models/memory_map/config.h"
#include "platform/input/address_trace.h"
#include "platform/run/result.h"
#include "tlm/record.h"
#include "tlm/time.h"

namespace gputlm {

// A distribution of latencies in cycles, exact: every value is counted on its own. By hand: 13 instructions a value,
// Boost.Histogram 20, whose axis would grow to the longest latency (docs/speed.md).

struct LatencyDistribution {
  std::uint64_t entries = 0;
  std::uint64_t sum = 0;
  std::vector<std::uint64_t> counts;      ///< of the latencies below its size, which grows up to a bound
  std::map<Cycle, std::uint64_t> longer;  ///< of those beyond that bound

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
  /// The following are 0 when there is nothing to tell.
  double mean() const;
  Cycle least() const;
  Cycle most() const;
  /// The smallest latency that at least `numerator` / `denominator` of all do not exceed (nearest rank).
  Cycle quantile(unsigned numerator, unsigned denominator) const;
  /// How many there are of each latency that occurs, in ascending order.
  std::map<Cycle, std::uint64_t> table() const;

  /// Part of add(): `entries` and `sum` stay.
  void count_long(Cycle latency, std::uint64_t times);

  template <class Visitor>
  static void describe(Visitor& v) {
    using S = LatencyDistribution;
    constexpr Value kCommandCycles{"command cycles"};
    const auto some = [](auto value) {
      return [value](const S& s) { return s.entries ? std::optional(value(s)) : std::nullopt; };
    };
    v.field(&S::entries, "accesses", Value{"accesses"}, "That were answered");
    v.field(some([](const S& s) { return s.mean(); }), "mean_cycles", kCommandCycles,
            "From issue to answer, on average");
    v.field(some([](const S& s) { return s.least(); }), "min_cycles", kCommandCycles, "The shortest");
    v.field(some([](const S& s) { return s.quantile(50, 100); }), "p50_cycles", kCommandCycles, "By nearest rank");
    v.field(some([](const S& s) { return s.quantile(99, 100); }), "p99_cycles", kCommandCycles, "Likewise");
    v.field(some([](const S& s) { return s.most(); }), "max_cycles", kCommandCycles, "The longest");
  }
};

// How an address trace is played on DRAM controllers, and what is measured. Apart from the player (trace_player.h), so
// that who asks for a run sees no SystemC, which takes a second to compile.

/// How a trace is played.
struct PlayerConfig {
  Bytes bytes = 64;          ///< of an access, which begins at a multiple of it: a power of two up to kLineBytes
  unsigned outstanding = 0;  ///< accesses that may wait for their response; 0: no limit but the queues
  Cycle interval = 0;        ///< cycles from one issue to the next, at least; 0: no limit
  unsigned trace_mhz = 0;    ///< clock of the cycles that the trace names; 0: the command clock
};

/// Latencies of an application's accesses.
struct ApplicationLatency {
  LatencyDistribution reads, writes;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.record(&ApplicationLatency::reads, "reads", "Of reads");
    v.record(&ApplicationLatency::writes, "writes", "Of writes");
  }
};

class ProbeSet;  // platform/probes/probe.h

struct MemorySystem {
  DramConfig dram;
  MemoryMapConfig address_map;  ///< how addresses spread over the channels
  PlayerConfig player;
};

struct MemoryProgress {
  Cycle cycles = 0;
  std::uint64_t answered = 0;
};

struct MemoryRunOptions {
  bool check_protocol = false;  ///< TLM-2.0 base protocol on every socket; violations become an exception
  ProbeSet* probes = nullptr;   ///< attached to the controllers; the caller commits what they wrote
  /// Asked now and then; false ends the run, incomplete.
  std::function<bool(const MemoryProgress&)> proceed;
};

struct MemoryResult {
  RunState state = RunState::kComplete;
  Cycle cycles = 0;            ///< command cycles until the last data had been moved, or how far the run came
  std::uint64_t issued = 0;    ///< accesses
  std::uint64_t answered = 0;  ///< accesses
  std::vector<DramStatistics> channels;
  std::vector<PolicyRecord> policies;
  std::vector<ApplicationLatency> latencies;  ///< by ApplicationId
  std::uint64_t checked_transactions = 0;     ///< by a protocol checker
  ApplicationLatency latency() const;         ///< of all applications together
};

/// Throws InputError for accesses that the system has not: smaller than a burst, larger than a line, no power of two.
void check(const MemorySystem& system);

/// Throws InputError for a system that cannot be (DramControllerCore, MemoryMap, an access smaller than a burst or
/// larger than a line) and for a trace that cannot be read.
MemoryResult play(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options);

/// As those of a run (platform/run/result.h).
std::string to_bytes(const MemoryResult& result);
MemoryResult memory_result_from_bytes(std::string_view bytes);

}  // namespace gputlm
