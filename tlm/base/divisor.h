/// A small constant divisor, applied by multiplication, which takes a tenth of the time of a division.
#pragma once

#include <cassert>
#include <cstdint>

namespace gputlm {

class Divisor {
 public:
  /// `value` is 1 or more.
  explicit Divisor(std::uint32_t value) : value_(value), reciprocal_((std::uint64_t{1} << 32) / value + 1) {}
  std::uint32_t value() const { return value_; }
  /// Whole part of `n` / value(), whose product must be less than 2^32.
  std::uint32_t quotient(std::uint32_t n) const {
    assert(std::uint64_t{n} * value_ < std::uint64_t{1} << 32);
    return static_cast<std::uint32_t>((n * reciprocal_) >> 32);
  }
  std::uint32_t remainder(std::uint32_t n) const { return n - quotient(n) * value_; }

 private:
  std::uint32_t value_;
  std::uint64_t reciprocal_;  ///< 2^32 / value_, too large by at most 1
};

}  // namespace gputlm
