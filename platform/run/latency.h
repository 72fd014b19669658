/// A distribution of latencies in cycles, exact: every value is counted on its own. By hand: 13 instructions a value,
/// Boost.Histogram 20, whose axis would grow to the longest latency (docs/speed.md).
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

class LatencyDistribution {
 public:
  void add(Cycle latency) {
    ++count_;
    sum_ += latency;
    if (latency < counts_.size()) {
      ++counts_[latency];
    } else {
      add_long(latency, 1);
    }
  }
  void add(const LatencyDistribution& other);

  std::uint64_t count() const { return count_; }
  /// The following are 0 when there is nothing to tell.
  double mean() const;
  Cycle least() const;
  Cycle most() const;
  /// The smallest latency that at least `numerator` / `denominator` of all do not exceed (nearest rank).
  Cycle quantile(unsigned numerator, unsigned denominator) const;
  /// How many there are of each latency that occurs, in ascending order.
  std::map<Cycle, std::uint64_t> table() const;

  template <class Record>
  static auto members(Record& record) {
    auto& [count, sum, counts, longer] = record;
    return std::tie(count, sum, counts, longer);
  }

 private:
  void add_long(Cycle latency, std::uint64_t count);

  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;
  std::vector<std::uint64_t> counts_;      ///< of the latencies below its size, which grows up to a bound
  std::map<Cycle, std::uint64_t> longer_;  ///< of those beyond that bound
};

}  // namespace gputlm
