#include "models/work_distributor/slowdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gputlm {
namespace {

using testing::ElementsAre;

/// An SM with eight parts, of which a block takes one by default.
constexpr unsigned kParts = 8;
SharedSms sms(unsigned count) { return {{kParts * 64, kParts * 2, kParts, 0, 0}, count}; }

CoRunner co_runner(std::uint64_t blocks, Cycle t, Cycle alone, Cycle elapsed = 0, unsigned parts = 1) {
  CoRunner kernel;
  kernel.demand.takes = {parts * 64, parts * 2, 1, 0, 0};
  kernel.blocks = blocks;
  kernel.t = t;
  kernel.alone = alone;
  kernel.elapsed = elapsed;
  return kernel;
}

TEST(Slowdown, OneAfterTheOtherIsThePapersSum) {
  const SharedSms gpu = sms(2);
  // 160 blocks of 100 cycles at 16 at a time: T1 = 1000; T2 = 1600 in the same way.
  const CoRunner a = co_runner(160, 100, 1000), b = co_runner(160, 160, 1600);
  EXPECT_EQ(runtime(a, gpu), 1000u);
  EXPECT_EQ(runtime(b, gpu), 1600u);
  EXPECT_THAT(slowdowns_in_turn({a, b}, gpu), ElementsAre(1000, 1625));  // 1, (T1 + T2) / T2
  EXPECT_THAT(slowdowns_in_turn({a, b, co_runner(160, 200, 2000)}, gpu), ElementsAre(1000, 1625, 2300));
  EXPECT_EQ(spread({1000, 1625, 2300}), 1300u);
  EXPECT_EQ(spread({}), 0u);
}

TEST(Slowdown, WhatHasPassedSinceAKernelCameCounts) {
  const SharedSms gpu = sms(2);
  // The first has had 400 of its 1000 cycles for itself; the second came 300 cycles ago and has waited.
  const CoRunner a = co_runner(96, 100, 1000, 400), b = co_runner(160, 160, 1600, 300);
  EXPECT_THAT(slowdowns_in_turn({a, b}, gpu), ElementsAre(1000, (300 + 600 + 1600) * 1000 / 1600));
}

struct SharedCase {
  const char* what;
  CoRunner first, second;
  unsigned count;
  std::uint64_t slowdown1, slowdown2;
};

class Shared : public testing::TestWithParam<SharedCase> {};

TEST_P(Shared, IsThePapersFormula) {
  const SharedCase& c = GetParam();
  EXPECT_THAT(slowdowns_shared({c.first, c.second}, sms(c.count), 3), ElementsAre(c.slowdown1, c.slowdown2)) << c.what;
}

INSTANTIATE_TEST_SUITE_P(
    Slowdown, Shared,
    testing::Values(
        // TS1 = 80 * 300 / 3 = 8000, T1 = 3000; NB1 = 8000 * 5 / 400 = 100 of 200; TS2 = 100 * 400 / 8 = 5000;
        // T2 = 10000: (TS1 + TS2) / T2.
        SharedCase{"the second goes on alone", co_runner(80, 300, 3000), co_runner(200, 400, 10000), 1, 2666, 1300},
        SharedCase{"the same on five SMs", co_runner(400, 300, 3000), co_runner(1000, 400, 10000), 5, 2666, 1300},
        // NB1 would be 100 of 50: it ends at 50 * 400 / 5 = 4000; the first has 80 - 40 blocks left and all room.
        SharedCase{"the first goes on alone", co_runner(80, 300, 3000), co_runner(50, 400, 2500), 1, 5500 / 3, 1600},
        // Two blocks of the first fill the SM: limit 2, no room for the second.
        SharedCase{"no room", co_runner(20, 300, 3000, 0, 4), co_runner(80, 300, 3000, 0, 4), 1, 1000, 5000},
        // Blocks of three parts: 8 - 3 leave room for one; TS1 = 8000, NB1 = 8000 / 400 = 20, TS2 = 30 * 400 / 2.
        SharedCase{"larger blocks", co_runner(80, 300, 3000), co_runner(50, 400, 10000, 0, 3), 1, 2666, 1400},
        SharedCase{"time that has passed", co_runner(80, 300, 3000, 1000), co_runner(200, 400, 10000, 700), 1, 3000,
                   1370}),
    [](const auto& instance) {
      std::string name = instance.param.what;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

TEST(Slowdown, OfThreeThatShareTheNextIsTheLimitedOne) {
  // At first 3, 5 and nothing: 30 * 100 / 3 = 1000 cycles, in which the second does 50 of 80. Then it has 3 of its own
  // and 5 are left to the third: 30 * 100 / 3 = 1000 cycles, 50 of 90. Then 40 * 100 / 8 = 500.
  const std::vector<CoRunner> kernels{co_runner(30, 100, 1000), co_runner(80, 100, 1000), co_runner(90, 100, 1000)};
  EXPECT_THAT(slowdowns_shared(kernels, sms(1), 3), ElementsAre(1000, 2000, 2500));
}

/// The paper's formulas, written as they stand there, wherever they hold: the second kernel is not done before the
/// first.
TEST(Slowdown, AgreesWithTheFormulasOverARange) {
  for (std::uint64_t n1 = 16; n1 <= 4096; n1 *= 2) {
    for (std::uint64_t n2 = n1; n2 <= 8192; n2 *= 2) {
      for (const Cycle t1 : {100, 777, 5000}) {
        for (const Cycle t2 : {100, 1234, 9000}) {
          const Cycle ts1 = n1 * t1 / 3;
          const std::uint64_t nb1 = ts1 * 5 / t2;
          if (nb1 >= n2) continue;
          const Cycle ts2 = (n2 - nb1) * t2 / 8, alone1 = n1 * t1 / 8, alone2 = n2 * t2 / 8;
          ASSERT_THAT(slowdowns_shared({co_runner(n1, t1, alone1), co_runner(n2, t2, alone2)}, sms(1), 3),
                      ElementsAre(ts1 * 1000 / alone1, (ts1 + ts2) * 1000 / alone2));
        }
      }
    }
  }
}

}  // namespace
}  // namespace gputlm
