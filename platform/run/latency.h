/// A distribution of latencies in cycles, exact: every value is counted on its own. By hand: 13 instructions a value,
/// Boost.Histogram 20, whose axis would grow to the longest latency (docs/speed.md).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "tlm/record.h"
#include "tlm/time.h"

namespace gputlm {

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

}  // namespace gputlm
