/// What several measurements of the same thing say of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/record.h"

namespace gputlm {

inline constexpr double kConfidence = 0.95;

struct Estimate {
  std::size_t count = 0;
  double mean = 0;
  std::optional<double> deviation;   ///< standard deviation of the sample (over n - 1); none of a single value
  std::optional<double> half_width;  ///< of the confidence interval of the mean, kConfidence; none of a single value
  std::optional<double> low() const { return half_width ? std::optional(mean - *half_width) : std::nullopt; }
  std::optional<double> high() const { return half_width ? std::optional(mean + *half_width) : std::nullopt; }

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field(&Estimate::count, "seeds", Value{"seeds"}, "That the mean is over");
    v.field(&Estimate::mean, "mean", Value{}, "In the unit of the metric");
    v.field(&Estimate::deviation, "deviation", Value{}, "Standard deviation of the sample; none of a single seed");
    v.field(&Estimate::low, "low", Value{}, "Begin of the confidence interval of 95 %; likewise");
    v.field(&Estimate::high, "high", Value{}, "Its end");
  }
};

/// Of independent values that are normally distributed, or many: the interval is that of Student's t distribution with
/// n - 1 degrees of freedom. `values` must not be empty.
Estimate estimate(const std::vector<double>& values);

struct ShareInterval {
  double low = 0, high = 1;
};
/// In which the probability of an event lies that has happened `times` of `of` times, independent of each other; kConfidence
/// (Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", Journal of the American Statistical
/// Association 22, 1927). Unlike the normal interval it is none of length 0 where all or none have happened. `of` > 0.
ShareInterval wilson(std::uint64_t times, std::uint64_t of);

}  // namespace gputlm
