// The comparison of a source with its netlist (testbench/lockstep/observed_netlist.h).
#include <gmock/gmock.h>

#include "testbench/lockstep/observed_netlist.h"

namespace gputlm {
namespace {

/// An output of two bits: the lower one is the input, the upper one `x`.
class FakeRun {
 public:
  FakeRun(std::uint32_t unknown, std::uint32_t of_netlist, std::uint64_t wrong_from)
      : unknown_(unknown << 1), netlist_unknown_(of_netlist << 1), wrong_from_(wrong_from) {}
  void settle(const std::vector<PortWords>& inputs) {
    const std::uint32_t bit = inputs[1][0];
    source_ = {unknown_ | bit};
    netlist_ = {netlist_unknown_ | (cycle_ >= wrong_from_ ? 1 - bit : bit)};
  }
  void rise(const std::vector<PortWords>&) { ++cycle_; }
  const PortWords& source() const { return source_; }
  const PortWords& netlist() const { return netlist_; }

 private:
  std::uint32_t unknown_, netlist_unknown_;
  std::uint64_t wrong_from_, cycle_ = 0;
  PortWords source_, netlist_;
};

constexpr std::uint64_t kNever = ~std::uint64_t{0};

/// Resets in two cycles.
NetlistInputs inputs() {
  NetlistInputs all;
  for (std::uint32_t cycle = 0; cycle < 100; ++cycle) all.push_back({{cycle != 10 && cycle != 70}, {cycle / 3 % 2}});
  return all;
}

TEST(NetlistPlay, WhatTheSourceLeavesOpenMayBeAnything) {
  std::vector<FakeRun> runs{{0, 1, kNever}, {1, 1, kNever}, {0, 0, kNever}};
  NetlistDifference found;
  EXPECT_FALSE(differs(runs, inputs(), found));
}

TEST(NetlistPlay, TheFirstOutputThatTheSourceDecidesOtherwiseIsFound) {
  std::vector<FakeRun> runs{{0, 0, kNever}, {1, 1, 42}, {0, 0, kNever}};
  NetlistDifference found;
  ASSERT_TRUE(differs(runs, inputs(), found));
  EXPECT_EQ(found.cycle, 42u);
  EXPECT_THAT(found.differs, testing::ElementsAre(1u));
  EXPECT_EQ(found.source[0] ^ found.netlist[0], 1u);
}

TEST(NetlistPlay, BeforeTheFirstResetAndInAResetNothingIsCompared) {
  std::vector<FakeRun> before{{0, 0, 0}};
  NetlistDifference found;
  ASSERT_TRUE(differs(before, inputs(), found));
  EXPECT_EQ(found.cycle, 11u);
  std::vector<FakeRun> in_it{{0, 0, 70}};
  ASSERT_TRUE(differs(in_it, inputs(), found));
  EXPECT_EQ(found.cycle, 71u);
}

}  // namespace
}  // namespace gputlm
