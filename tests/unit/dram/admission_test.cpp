#include "models/dram/admission.h"

#include <gtest/gtest.h>

#include <deque>

#include "models/dram/controller_core.h"
#include "models/dram/links.h"

namespace gputlm {
namespace {

TEST(ReservedEntries, AreThereForTheirUserWhateverTheOthersHave) {
  ReservedEntries entries(16, 2, 4);
  EXPECT_TRUE(entries.fits(0, 12));
  EXPECT_FALSE(entries.fits(0, 13));  // four are the other's
  entries.take(0, 12);
  EXPECT_FALSE(entries.fits(0, 1));
  EXPECT_TRUE(entries.fits(1, 4));
  EXPECT_FALSE(entries.fits(1, 5));  // nothing is left that is shared
}

TEST(ReservedEntries, ThatAreSharedComeBackFirst) {
  ReservedEntries entries(16, 2, 4);
  entries.take(0, 12);
  entries.give_back(0);
  EXPECT_TRUE(entries.fits(1, 5));
  for (unsigned i = 0; i < 7; ++i) entries.give_back(0);
  EXPECT_TRUE(entries.fits(1, 12));
  entries.give_back(0);
  EXPECT_FALSE(entries.fits(1, 13));  // one of its own is free again
}

TEST(ReservedEntries, WithEqualSharesAreAPartition) {
  ReservedEntries entries(16, 4, 4);
  EXPECT_EQ(entries.most(), 4u);
  EXPECT_TRUE(entries.fits(3, 4));
  EXPECT_FALSE(entries.fits(3, 5));
}

TEST(Admission, GoesAroundThoseThatWait) {
  Admission admission("reserved", {32, 4, 8});
  EXPECT_EQ(admission.next({0b1111}), 0u);  // at first
  admission.entered(0, 1);
  EXPECT_EQ(admission.next({0b1011}), 1u);
  EXPECT_EQ(admission.next({0b1001}), 3u);
  admission.entered(3, 1);
  EXPECT_EQ(admission.next({0b1110}), 1u);
  EXPECT_EQ(admission.next({0b1000}), 3u);  // nobody else
  EXPECT_EQ(admission.number(6), 2u);
}

/// A controller of 16 entries whose applications 0 and 1 have a link each, or share one.
class Admitted : public testing::Test {
 protected:
  static DramConfig config(unsigned reserved) {
    DramConfig config;
    config.queue = 16;
    config.applications = 2;
    config.reserved = reserved;
    config.virtual_channels = true;
    return config;
  }
  /// An access of four bursts to a row of its own of bank 0, so that they take long.
  Access& access(ApplicationId application) {
    Access& made = accesses_.emplace_back();
    made.bytes = 128;
    made.address = accesses_.size() * Address{32768};
    made.identity.application = application;
    return made;
  }
  std::deque<Access> accesses_;
};

TEST_F(Admitted, AnApplicationDoesNotWaitBehindAnother) {
  for (const bool apart : {false, true}) {
    DramConfig plain = config(4);
    if (!apart) plain.applications = 1, plain.reserved = 0, plain.virtual_channels = false;
    DramControllerCore core(plain, 2, 64);
    for (unsigned i = 0; i < 20; ++i) core.requests(0).push(0, access(0));
    core.requests(1).push(10, access(1));
    core.advance(11);
    EXPECT_EQ(core.requests(1).size(), apart ? 0u : 1u);
    EXPECT_EQ(core.requests(0).size(), apart ? 17u : 16u);  // three accesses where four entries are the other's
  }
}

TEST_F(Admitted, ApplicationsThatWaitTakeTurns) {
  DramControllerCore core(config(4), 2, 64);
  for (unsigned i = 0; i < 20; ++i) {
    core.requests(0).push(0, access(0));
    core.requests(1).push(0, access(1));
  }
  core.advance(2000);
  EXPECT_GT(core.requests(0).freed_slots().size(), 8u);
  const auto difference =
      static_cast<int>(core.requests(0).freed_slots().size()) - static_cast<int>(core.requests(1).freed_slots().size());
  EXPECT_LE(std::abs(difference), 1);
}

TEST_F(Admitted, WithoutAQueueOfItsOwnAnApplicationWaitsBehindAnother) {
  DramConfig one = config(4);
  one.virtual_channels = false;
  DramControllerCore core(one, 1, 64);
  for (unsigned i = 0; i < 20; ++i) core.requests(0).push(0, access(0));
  core.requests(0).push(10, access(1));
  core.advance(11);
  EXPECT_EQ(core.requests(0).size(), 18u);  // its entries are free, and it does not come to them
}

TEST_F(Admitted, EntersWhenABurstOfItsOwnApplicationHasLeft) {
  DramControllerCore core(config(8), 2, 64);
  for (unsigned i = 0; i < 3; ++i) core.requests(0).push(0, access(0));
  for (Cycle now = 0; core.requests(0).size() == 1; ++now) {
    ASSERT_LT(now, 1000u);
    core.advance(now + 1);
    // The third access enters when the four bursts of the first one have been read, not when one has.
    if (core.requests(0).size() == 0) {
      EXPECT_GE(core.statistics().reads, 4u);
    }
  }
}

TEST_F(Admitted, TheInputQueueIsDividedAmongTheLinks) {
  DramConfig shared = config(4);
  EXPECT_EQ(DramControllerCore(shared, 2, 64).requests(1).depth(), shared.input_queue / 2);
  EXPECT_EQ(dram_link(Clock::from_mhz(1000), shared, 64).request.queue, shared.input_queue / 2);
  shared.virtual_channels = false;
  EXPECT_EQ(DramControllerCore(shared, 2, 64).requests(1).depth(), shared.input_queue);
}

}  // namespace
}  // namespace gputlm
