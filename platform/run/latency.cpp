#include "platform/run/latency.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr std::size_t kMaxCounts = std::size_t{1} << 14;

}  // namespace

void LatencyDistribution::add_long(Cycle latency, std::uint64_t count) {
  if (latency >= kMaxCounts) {
    longer_[latency] += count;
    return;
  }
  if (latency >= counts_.size()) counts_.resize(std::min(kMaxCounts, std::max<std::size_t>(2 * latency, 64)));
  counts_[latency] += count;
}

void LatencyDistribution::add(const LatencyDistribution& other) {
  count_ += other.count_;
  sum_ += other.sum_;
  for (const auto& [latency, count] : other.table()) add_long(latency, count);
}

double LatencyDistribution::mean() const {
  return count_ ? static_cast<double>(sum_) / static_cast<double>(count_) : 0.0;
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
    if (scaled >= static_cast<unsigned __int128>(count_) * numerator) return latency;
  }
  return 0;
}

std::map<Cycle, std::uint64_t> LatencyDistribution::table() const {
  std::map<Cycle, std::uint64_t> all = longer_;
  for (std::size_t latency = 0; latency < counts_.size(); ++latency) {
    if (counts_[latency] > 0) all.emplace(latency, counts_[latency]);
  }
  return all;
}

}  // namespace gputlm
