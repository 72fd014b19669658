/// What a sample says of a quantile of the distribution that it comes from, whatever that is: between two of the values, in
/// their order, the quantile lies with a given confidence (order statistics; David and Nagaraja, "Order Statistics", 3rd
/// edition, section 7.1). Holds for values that are independent of each other.
#pragma once

#include <cstdint>
#include <optional>

namespace gputlm {

/// As a fraction, so that the rank of a value is exact: 999 / 1000 is the 99.9th percentile.
struct Quantile {
  std::uint32_t numerator = 1, denominator = 2;
  double value() const { return static_cast<double>(numerator) / denominator; }
};

/// The least rank, from 1, of which as large a share of `count` values has none that is larger (nearest rank); `count` > 0.
std::uint64_t nearest_rank(std::uint64_t count, Quantile quantile);

/// Ranks of two of `count` values in ascending order, from 1.
struct RankInterval {
  std::uint64_t low = 0, high = 0;
};

/// The quantile lies between the two with a probability of at least `confidence`, and beyond each of them with at most half
/// of what is left; the closest such ranks. None where there are too few values.
std::optional<RankInterval> quantile_ranks(std::uint64_t count, Quantile quantile, double confidence);

/// From so many values on there are such ranks.
std::uint64_t values_needed(Quantile quantile, double confidence);

}  // namespace gputlm
