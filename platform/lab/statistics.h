/// What several measurements of the same thing say of it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace gputlm {

inline constexpr double kConfidence = 0.95;

struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  std::optional<double> deviation;   ///< standard deviation of the sample (over n - 1); none of a single value
  std::optional<double> half_width;  ///< of the confidence interval of the mean, kConfidence; none of a single value
  double low() const { return mean - half_width.value_or(0); }
  double high() const { return mean + half_width.value_or(0); }
};

/// Of independent values that are normally distributed, or many: the interval is that of Student's t distribution with
/// n - 1 degrees of freedom. `values` must not be empty.
Estimate estimate(const std::vector<double>& values);

}  // namespace gputlm
