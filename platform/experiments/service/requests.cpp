#include "platform/experiments/service/requests.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/kernel/random.h"

namespace gputlm {
namespace {

/// `requests` of one network over a day of sections of this length. Given how many they are, arrivals of a Poisson process are uniformly
/// distributed.
std::vector<Femtoseconds> spread(const Day& day, std::uint64_t requests, Femtoseconds section, std::uint64_t key) {
  const double whole = std::accumulate(day.sections.begin(), day.sections.end(), 0.0);
  std::vector<Femtoseconds> times;
  double so_far = 0;
  for (std::size_t s = 0; s < day.sections.size(); ++s) {
    so_far += day.sections[s];
    const auto until = static_cast<std::uint64_t>(std::llround(static_cast<double>(requests) * so_far / whole));
    while (times.size() < until) {
      const Femtoseconds at = section * s + uniform_below(derive(key, times.size()), section);
      times.insert(times.end(), std::min<std::uint64_t>(day.burst, until - times.size()), at);
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

Requests request_times(const Day& day, const std::vector<Demand>& demands) {
  const auto rate = [&](const Demand& d) { return day.load * d.share / static_cast<double>(d.alone); };
  double launch_rate = 0;
  for (const Demand& d : demands) launch_rate += rate(d) * d.layers;
  const double length = static_cast<double>(day.launches) / launch_rate;
  Requests all;
  all.section = static_cast<Femtoseconds>(length / static_cast<double>(day.sections.size()));
  for (std::size_t n = 0; n < demands.size(); ++n) {
    const std::uint64_t requests = std::max<long long>(1, std::llround(rate(demands[n]) * length));
    all.times.push_back(spread(day, requests, all.section, derive(mix(day.seed), n)));
  }
  return all;
}

}  // namespace gputlm
