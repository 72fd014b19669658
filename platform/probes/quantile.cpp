#include "platform/probes/quantile.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>

namespace gputlm {
namespace {

// In double alone: what long double is depends on the machine.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

}  // namespace

std::uint64_t nearest_rank(std::uint64_t count, Quantile quantile) {
  return (count * quantile.numerator + quantile.denominator - 1) / quantile.denominator;
}

std::optional<RankInterval> quantile_ranks(std::uint64_t count, Quantile quantile, double confidence) {
  if (count < values_needed(quantile, confidence)) return std::nullopt;
  // How many of the values are below the quantile is binomially distributed. The value of rank r is above it if fewer than
  // r are below, and below it if at least r are.
  const Binomial below(static_cast<double>(count), quantile.value());
  const double tail = (1 - confidence) / 2;
  const auto fewer = [&](std::uint64_t rank) { return cdf(below, static_cast<double>(rank - 1)); };
  const auto as_many = [&](std::uint64_t rank) { return cdf(complement(below, static_cast<double>(rank - 1))); };
  // Both change monotonically with the rank: halving.
  std::uint64_t low = 1, beyond = count + 1;  // fewer(low) <= tail < fewer(beyond)
  while (beyond - low > 1) {
    const std::uint64_t middle = low + (beyond - low) / 2;
    (fewer(middle) <= tail ? low : beyond) = middle;
  }
  std::uint64_t before = 0, high = count;  // as_many(high) <= tail < as_many(before)
  while (high - before > 1) {
    const std::uint64_t middle = before + (high - before) / 2;
    (as_many(middle) <= tail ? high : before) = middle;
  }
  return RankInterval{low, high};
}

std::uint64_t values_needed(Quantile quantile, double confidence) {
  // The least value is above the quantile, or the largest below it, with no more than the tail's probability.
  const double rarer = std::max(quantile.value(), 1 - quantile.value());
  return static_cast<std::uint64_t>(std::ceil(std::log((1 - confidence) / 2) / std::log(rarer)));
}

}  // namespace gputlm
