#include "platform/probes/worst_case.h"

#include <gtest/gtest.h>

#include <numeric>

namespace gputlm {
namespace {

using Part = ResponsePart;

/// A kernel of an owner; its stream is the owner's number.
CommandTimes kernel(std::uint32_t owner, Cycle submitted, Cycle start, Cycle end, std::uint32_t application = 0) {
  CommandTimes times;
  times.owner = owner;
  times.application = application;
  times.stream = owner;
  times.sms.set(owner / 10);  // owners of the same ten share an SM
  times.submitted = submitted;
  times.arrived = submitted + 5;
  times.start = start;
  times.end = end;
  times.notified = end + 5;
  return times;
}

Cycle cycles(const ResponseAccount& account, Part part) { return account.cycles[static_cast<std::size_t>(part)]; }
const HeldUpBy& by(const ResponseAccount& account, Part part) { return account.by[static_cast<std::size_t>(part)]; }
Cycle sum(const ResponseAccount& account) {
  return std::accumulate(account.cycles.begin(), account.cycles.end(), Cycle{0});
}

TEST(WorstCase, OfAJobThatWaitsForItsStreamAndForSms) {
  RunHistory run;
  run.commands = {kernel(1, 100, 200, 300), kernel(1, 20, 30, 95), kernel(2, 0, 10, 180)};
  const ResponseAccount a = account(run, {0}, 40, 305);
  EXPECT_EQ(cycles(a, Part::kHost), 60u);
  EXPECT_EQ(cycles(a, Part::kTransit), 10u);
  EXPECT_EQ(cycles(a, Part::kSmSlots), 95u);
  EXPECT_EQ(cycles(a, Part::kExecution), 100u);
  EXPECT_EQ(sum(a), 265u);
  EXPECT_EQ(by(a, Part::kHost).who, 1u) << "the job before it in its stream";
  EXPECT_EQ(by(a, Part::kSmSlots).who, 2u);
  EXPECT_DOUBLE_EQ(by(a, Part::kSmSlots).share, 1.0);
  EXPECT_FALSE(by(a, Part::kExecution).known) << "which is its own";
  ASSERT_EQ(a.segments.size(), 5u);
  EXPECT_EQ(a.segments[2].part, Part::kSmSlots);
  EXPECT_EQ(a.segments[2].from, 105u);
  EXPECT_EQ(a.segments[2].to, 200u);
}

TEST(WorstCase, WhoIsOnOtherSmsHoldsNobodyUpThere) {
  RunHistory run;
  run.commands = {kernel(1, 100, 200, 300), kernel(12, 0, 10, 180), kernel(2, 100, 150, 160)};
  const ResponseAccount a = account(run, {0}, 100, 305);
  EXPECT_EQ(by(a, Part::kSmSlots).who, 2u);
  EXPECT_DOUBLE_EQ(by(a, Part::kSmSlots).share, 1.0);
}

TEST(WorstCase, OfTwoCommandsTheFurthestCounts) {
  RunHistory run;
  CommandTimes copy = kernel(1, 0, 10, 60);
  copy.copy = true;
  run.commands = {kernel(1, 0, 50, 80), copy};
  const ResponseAccount a = account(run, {0, 1}, 0, 85);
  EXPECT_EQ(cycles(a, Part::kTransit), 10u);
  EXPECT_EQ(cycles(a, Part::kSmSlots), 5u) << "while the copy waits too";
  EXPECT_EQ(cycles(a, Part::kCopying), 40u);
  EXPECT_EQ(cycles(a, Part::kExecution), 30u);
}

TEST(WorstCase, TurnsOfOthersArePreemptions) {
  RunHistory run;
  run.commands = {kernel(1, 0, 10, 200), kernel(2, 0, 50, 150, 1)};
  run.turns = {{0, 5, 50}, {1, 50, 150}, {0, 150, 200}};
  const ResponseAccount a = account(run, {0}, 0, 205);
  EXPECT_EQ(cycles(a, Part::kPreemption), 100u);
  EXPECT_TRUE(by(a, Part::kPreemption).application);
  EXPECT_EQ(by(a, Part::kPreemption).who, 1u);
  EXPECT_EQ(cycles(a, Part::kExecution), 90u);
  EXPECT_EQ(sum(a), 205u);
}

TEST(WorstCase, AKernelsTimeIsDividedByWhatItsWarpsWaitFor) {
  RunHistory run;
  CommandTimes own = kernel(1, 0, 5, 1005);
  own.counters.instructions = 10;
  own.counters.stall[static_cast<std::size_t>(Stall::kExecution)] = 90;
  own.counters.stall[static_cast<std::size_t>(Stall::kNotSelected)] = 100;
  own.counters.stall[static_cast<std::size_t>(Stall::kMemory)] = 800;
  own.counters.stall[static_cast<std::size_t>(Stall::kPreempted)] = 1'000'000;  // no time of the SMs
  own.counters.global_loads = 4;  // a wait of 200 cycles each, of which a request takes 150
  own.counters.memory_requests = 8;
  own.counters.memory_latency = 1200;
  own.requests = {200, 300, 600};  // and 100 on the way back
  CommandTimes other = kernel(2, 0, 5, 1005);
  other.counters.instructions = 100;
  other.counters.memory_requests = 30;
  CommandTimes third = kernel(3, 0, 5, 1005);
  third.counters.instructions = 300;
  third.counters.memory_requests = 10;
  run.commands = {own, other, third};
  const ResponseAccount a = account(run, {0}, 0, 1010);
  EXPECT_EQ(cycles(a, Part::kExecution), 100u);
  EXPECT_EQ(cycles(a, Part::kIssue), 100u);
  EXPECT_EQ(cycles(a, Part::kL1), 200u);
  EXPECT_EQ(cycles(a, Part::kCrossbar), 150u);
  EXPECT_EQ(cycles(a, Part::kL2), 150u);
  EXPECT_EQ(cycles(a, Part::kDram), 300u);
  EXPECT_EQ(by(a, Part::kIssue).who, 3u);
  EXPECT_DOUBLE_EQ(by(a, Part::kIssue).share, 0.75);
  EXPECT_EQ(by(a, Part::kDram).who, 2u);
  EXPECT_DOUBLE_EQ(by(a, Part::kDram).share, 0.75);
}

}  // namespace
}  // namespace gputlm
