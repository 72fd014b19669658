// The time of a context switch, learnt from switches whose state was moved in packets.

#include "models/work_distributor/switch_pace.h"

#include <gtest/gtest.h>

namespace gputlm {
namespace {

constexpr Bytes kMib = Bytes{1} << 20;

/// A switch of `sms` SMs that move `bytes` each, and the time of each, if it moved packets.
std::uint32_t change(SwitchPace& pace, bool brings_back, unsigned sms, Bytes bytes, Cycle took) {
  const std::uint32_t told = pace.begin(brings_back, sms, sms * bytes);
  for (unsigned sm = 0; sm < sms; ++sm) {
    ContextSwitch command;
    command.pace = told;
    command.bytes = bytes;
    command.took = told > 0 ? (bytes * told) >> kSwitchPaceBits : took;
    pace.done(command);
  }
  return told;
}

TEST(SwitchPace, IsKnownAfterThreeSwitchesWithoutTheFirst) {
  SwitchPace pace;
  EXPECT_EQ(change(pace, false, 16, kMib, 100'000), 0u) << "the L2 was empty";
  EXPECT_EQ(change(pace, false, 16, kMib, 30'000), 0u);
  EXPECT_EQ(change(pace, false, 16, kMib, 50'000), 0u);
  EXPECT_EQ(change(pace, false, 16, kMib, 0), 40'000u >> 4) << "cycles for 64 KiB, the mean of two";
  EXPECT_EQ(change(pace, false, 16, kMib, 0), 40'000u >> 4) << "what was not moved teaches nothing";
}

TEST(SwitchPace, IsOfADirectionAndOfWhatIsMoved) {
  SwitchPace pace;
  for (int i = 0; i < 3; ++i) change(pace, false, 16, kMib, 32'768);
  EXPECT_GT(change(pace, false, 16, kMib, 0), 0u);
  EXPECT_EQ(change(pace, true, 16, kMib, 1), 0u) << "back";
  EXPECT_EQ(change(pace, false, 8, kMib, 1), 0u) << "of fewer SMs";
  EXPECT_EQ(change(pace, false, 16, kMib / 2, 1), 0u) << "less of each";
  EXPECT_GT(change(pace, false, 16, kMib + kMib / 100, 0), 0u) << "hardly more";
}

TEST(SwitchPace, OfNothingIsNone) {
  SwitchPace pace;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(change(pace, false, 1, 0, 0), 0u);
}

}  // namespace
}  // namespace gputlm
