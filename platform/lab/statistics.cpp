#include "platform/lab/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>

#include "platform/lab/metrics.h"

namespace gputlm {

Estimate estimate(const std::vector<double>& values) {
  Estimate e;
  e.count = values.size();
  e.mean = mean(values);
  if (e.count < 2) return e;
  double squares = 0;
  for (const double value : values) squares += (value - e.mean) * (value - e.mean);
  const auto n = static_cast<double>(e.count);
  e.deviation = std::sqrt(squares / (n - 1));
  // In double alone: what long double is depends on the machine.
  using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
  const boost::math::students_t_distribution<double, Policy> distribution(n - 1);
  e.half_width = boost::math::quantile(distribution, (1 + kConfidence) / 2) * *e.deviation / std::sqrt(n);
  return e;
}

}  // namespace gputlm
