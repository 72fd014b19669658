#include "platform/run/latency.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr std::size_t kMaxCounts = std::size_t{1} << 14;

}  // namespace

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

}  // namespace gputlm
