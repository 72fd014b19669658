#include "platform/lab/statistics.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

// In double alone: what long double is depends on the machine.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

Estimate estimate(const std::vector<double>& values) {
  Estimate e;
  e.count = values.size();
  e.mean = mean(values);
  if (e.count < 2) return e;
  double squares = 0;
  for (const double value : values) squares += (value - e.mean) * (value - e.mean);
  const auto n = static_cast<double>(e.count);
  e.deviation = std::sqrt(squares / (n - 1));
  const boost::math::students_t_distribution<double, InDouble> distribution(n - 1);
  e.half_width = boost::math::quantile(distribution, (1 + kConfidence) / 2) * *e.deviation / std::sqrt(n);
  return e;
}

ShareInterval wilson(std::uint64_t times, std::uint64_t of) {
  const double z = boost::math::quantile(boost::math::normal_distribution<double, InDouble>(), (1 + kConfidence) / 2);
  const auto n = static_cast<double>(of);
  const double p = static_cast<double>(times) / n, centre = p + z * z / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)), whole = 1 + z * z / n;
  return {std::max(0.0, (centre - half) / whole), std::min(1.0, (centre + half) / whole)};
}

}  // namespace gputlm
