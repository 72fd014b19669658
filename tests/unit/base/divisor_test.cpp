#include "tlm/base/divisor.h"

#include <gtest/gtest.h>

#include <random>

namespace gputlm {
namespace {

TEST(Divisor, DividesExactlyAsFarAsItSays) {
  std::mt19937 random(1);
  for (std::uint32_t value = 1; value <= 1000; ++value) {
    const Divisor divisor(value);
    const std::uint32_t most = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) - 1) / value);
    const auto check = [&](std::uint32_t n) {
      ASSERT_EQ(divisor.quotient(n), n / value) << n << " by " << value;
      ASSERT_EQ(divisor.remainder(n), n % value) << n << " by " << value;
    };
    for (std::uint32_t n = 0; n <= 3 * value; ++n) check(n);
    for (std::uint32_t n = most - most % value - 1; n < most; ++n) check(n);  // around its last multiple
    check(most);
    for (int i = 0; i < 100; ++i) {
      const std::uint32_t multiple = static_cast<std::uint32_t>(random()) % (most / value) * value;
      for (const std::uint32_t n : {multiple, multiple + value - 1}) check(n);
    }
  }
}

}  // namespace
}  // namespace gputlm
