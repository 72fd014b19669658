#include "platform/lab/metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gputlm {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

double ratio(double part, double whole) { return whole != 0 ? part / whole : 0; }

double mean(const std::vector<double>& values) { return sum(values) / static_cast<double>(values.size()); }

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

double relative_speed(double ipc_shared, double ipc_alone) { return ipc_shared / ipc_alone; }
double weighted_speedup(const std::vector<double>& relative_speeds) { return sum(relative_speeds); }
double instruction_throughput(const std::vector<double>& ipcs) { return sum(ipcs); }

double fairness_index(const std::vector<double>& relative_speeds) {
  const auto [least, most] = std::minmax_element(relative_speeds.begin(), relative_speeds.end());
  return *most / *least;
}

double slowdown(double time_shared, double time_alone) { return time_shared / time_alone; }

double stp(const std::vector<double>& slowdowns) {
  double total = 0;
  for (const double slowdown : slowdowns) total += 1 / slowdown;
  return total;
}

double antt(const std::vector<double>& slowdowns) { return mean(slowdowns); }

double strictf(const std::vector<double>& slowdowns) {
  const auto [least, most] = std::minmax_element(slowdowns.begin(), slowdowns.end());
  return *least / *most;
}

double jain_index(const std::vector<double>& shares) {
  const double squares = std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0);
  return sum(shares) * sum(shares) / (static_cast<double>(shares.size()) * squares);
}

}  // namespace gputlm
