/// The tokens of applications with a budget, by number.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tlm/base/time.h"

namespace gputlm {

class Tokens {
 public:
  explicit Tokens(std::vector<Bytes> budgets) : budgets_(std::move(budgets)), left_(budgets_) {}

  Bytes left(unsigned number) const { return left_[number]; }
  void take(unsigned number, Bytes bytes) { left_[number] -= bytes; }
  /// As BandwidthRegulator::begin_period(). Returns the tokens that lapse.
  Bytes begin_period(std::uint64_t begins, std::uint64_t waiting) {
    Bytes lapsed = 0;
    for (; begins != 0; begins &= begins - 1) {
      const auto number = static_cast<unsigned>(__builtin_ctzll(begins));
      Bytes& left = left_[number];
      const bool waits = waiting >> number & 1;
      if (!waits) lapsed += std::exchange(left, 0);
      left += budgets_[number];
    }
    return lapsed;
  }

 private:
  std::vector<Bytes> budgets_, left_;
};

}  // namespace gputlm
