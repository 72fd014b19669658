// The causes of waits of each command and call of a program, by the measured times.
#include "platform/programs/dependences.h"

#include <gmock/gmock.h>

#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

using CallKind = MeasuredCall::Kind;

constexpr Time kUs = 1'000'000'000;

/// A program of one process and one context; times in microseconds.
class Measured : public testing::Test {
 protected:
  Measured() {
    // Times from the host's submission to a kernel's start, and from its end until the host knows of it.
    setup.kernels = {2 * kUs, 1 * kUs};
    setup.copies = {1 * kUs, 1 * kUs};
    setup.share_of_gpu = [](const MeasuredKernel& kernel) { return kernel.grid.x / 100.0; };
    setup.least_share_of_gpu = [](const MeasuredKernel&) { return 0.1; };
    program.threads.resize(1);
  }

  std::size_t stream(StreamKind kind = StreamKind::kNonBlocking, std::uint64_t context = 1) {
    program.streams.push_back({100, context, 10 + program.streams.size(), kind});
    return program.streams.size() - 1;
  }
  /// `called`: when the call began; negative: it was not recorded. `blocks`: in hundredths of the GPU. Commands have to
  /// be told in the order of their starts.
  std::size_t kernel(std::size_t stream, double called, double start, double end, unsigned blocks = 10) {
    MeasuredKernel one{"k", {blocks}, {32}};
    return command(stream, called, start, end, std::move(one));
  }
  std::size_t copy(std::size_t stream, double called, double start, double end,
                   CopyKind kind = CopyKind::kHostToDevice) {
    return command(stream, called, start, end, MeasuredCopy{kind, 64});
  }
  std::size_t command(std::size_t stream, double called, double start, double end,
                      std::variant<MeasuredKernel, MeasuredCopy> what) {
    MeasuredCommand made;
    made.label = "c" + std::to_string(program.commands.size());
    made.stream = stream;
    made.start = ns(start);
    made.end = ns(end);
    made.what = std::move(what);
    program.commands.push_back(made);
    if (called >= 0) call(CallKind::kCommands, called, called + 1, stream, program.commands.size() - 1);
    return program.commands.size() - 1;
  }
  MeasuredCall& call(CallKind kind, double start, double end, std::size_t stream = 0, std::size_t what = 0) {
    MeasuredCall made;
    made.kind = kind;
    made.start = made.entered = ns(start);
    made.end = ns(end);
    made.stream = stream;
    made.what = what;
    return program.threads[0].calls.emplace_back(made);
  }
  /// An event that is recorded.
  std::size_t record(std::size_t stream, double at) {
    call(CallKind::kRecordEvent, at, at + 0.5, stream, program.events);
    return program.events++;
  }

  Dependences found() {
    auto& calls = program.threads[0].calls;
    std::stable_sort(calls.begin(), calls.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    return dependences(program, setup);
  }
  /// Delays of the commands, in microseconds.
  std::vector<double> delays() {
    std::vector<double> all;
    for (const CommandTiming& timing : found().commands) all.push_back(static_cast<double>(timing.delay) / kUs);
    return all;
  }
  std::vector<std::string> checks() {
    std::vector<std::string> all;
    for (const ProgramCheck& check : found().checks)
      all.push_back(std::to_string(check.count) + " " + check.name + ", " + check.first);
    return all;
  }
  /// For each call of the thread, whether it waits, and when the thread continued, in microseconds.
  std::vector<std::pair<bool, double>> waits() {
    std::vector<std::pair<bool, double>> all;
    const Dependences of = found();
    for (const CallTiming& timing : of.calls.at(0))
      all.emplace_back(timing.waits, static_cast<double>(timing.resumed) / kUs);
    return all;
  }
  static Nanoseconds ns(double us) { return static_cast<Nanoseconds>(us * 1000); }

  Program program;
  DependenceSetup setup;
};

// --- What held commands ---

TEST_F(Measured, ACommandThatNothingElseHeldIsDelayedFromItsCallOn) {
  kernel(stream(), 100, 110, 200);
  const Dependences of = found();
  EXPECT_EQ(of.commands[0].issued, 100 * kUs);
  EXPECT_EQ(of.commands[0].delay, 8 * kUs) << "10, of which the model's own latency is 2";
  EXPECT_TRUE(of.commands[0].has_call);
  EXPECT_EQ(of.end, 201 * kUs) << "the host knows of an end 1 later";
  EXPECT_THAT(checks(), IsEmpty());
}

TEST_F(Measured, TimesCountFromTheOrigin) {
  kernel(stream(), 100, 110, 200);
  setup.origin = 100'000;
  EXPECT_EQ(found().commands[0].issued, 0);
  EXPECT_EQ(found().commands[0].delay, 8 * kUs);
}

TEST_F(Measured, ACommandThatItsStreamHeldIsDelayedFromTheEndOfTheOneBefore) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  kernel(s, 105, 206, 300);
  EXPECT_THAT(delays(), ElementsAre(8, 3)) << "known to have ended at 201, submitted at 204";
}

TEST_F(Measured, TheGapOfAStreamIsNotThatOfAnother) {
  const auto s = stream(), other = stream();
  kernel(s, 100, 110, 200);
  kernel(other, 105, 150, 170);
  EXPECT_THAT(delays(), ElementsAre(8, 43));
}

TEST_F(Measured, ACommandThatAnEventHeldIsDelayedFromThere) {
  const auto s = stream(), other = stream();
  kernel(s, 100, 110, 200);
  const auto event = record(s, 102);
  call(CallKind::kWaitEvent, 104, 104.5, other, event);
  kernel(other, 106, 210, 300);
  EXPECT_THAT(delays(), ElementsAre(8, 7)) << "201 until 208";
  EXPECT_THAT(found().waited_for, ElementsAre(true));
  EXPECT_EQ(found().streams[1].at(0).kind, StreamEntry::Kind::kWait);
}

TEST_F(Measured, AnEventOfAnEmptyStreamIsReachedAtOnce) {
  const auto s = stream(), other = stream();
  const auto event = record(s, 102);
  call(CallKind::kWaitEvent, 104, 104.5, other, event);
  kernel(other, 106, 115, 300);
  kernel(s, 107, 120, 200);
  EXPECT_THAT(delays(), ElementsAre(7, 11)) << "what comes behind a record is no part of it";
  EXPECT_THAT(checks(), IsEmpty());
}

// A record behind a wait, with nothing between, is reached when what is waited for is.
TEST_F(Measured, AnEventBehindAWaitIsReachedAfterIt) {
  const auto last = stream(), between = stream(), first = stream();  // whatever their numbers
  kernel(first, 100, 110, 200);
  const auto event = record(first, 102);
  call(CallKind::kWaitEvent, 104, 104.5, between, event);
  const auto passed_on = record(between, 106);
  call(CallKind::kWaitEvent, 108, 108.5, last, passed_on);
  kernel(last, 110, 210, 300);
  EXPECT_THAT(delays(), ElementsAre(8, 7)) << "201 until 208";
}

TEST_F(Measured, TheDefaultStreamWaitsForAllBlockingOnesAndTheyForIt) {
  const auto null = stream(StreamKind::kDefault), blocking = stream(StreamKind::kBlocking), free = stream();
  kernel(blocking, 100, 110, 200);
  kernel(free, 101, 112, 500);
  kernel(null, 104, 210, 300);
  kernel(blocking, 106, 310, 400);
  EXPECT_THAT(delays(), ElementsAre(8, 9, 7, 7));
  EXPECT_THAT(found().blocking, ElementsAre(true, true, true));
}

TEST_F(Measured, TheDefaultStreamOfAnotherContextHoldsNothing) {
  const auto null = stream(StreamKind::kDefault, 2), blocking = stream(StreamKind::kBlocking, 1);
  kernel(null, 100, 110, 200);
  kernel(blocking, 106, 310, 400);
  EXPECT_THAT(delays(), ElementsAre(8, 202));
}

TEST_F(Measured, CommandsOfAStreamThatOverlapAreHeldByTheStartBefore) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  kernel(s, 102, 160, 250);
  kernel(s, 104, 250, 300);
  const Dependences of = found();
  EXPECT_FALSE(of.commands[0].overlaps);
  EXPECT_TRUE(of.commands[1].overlaps);
  EXPECT_EQ(of.commands[1].delay, 50 * kUs) << "submitted 50 after the one before";
  EXPECT_FALSE(of.commands[2].overlaps) << "it begins when the other ends";
}

TEST_F(Measured, OverlapWithAnEventBetweenCannotBe) {
  const auto s = stream(), other = stream();
  kernel(s, 100, 110, 200);
  const auto event = record(s, 101);
  call(CallKind::kWaitEvent, 101.5, 101.8, other, event);
  kernel(s, 102, 160, 250);
  EXPECT_FALSE(found().commands[1].overlaps);
  EXPECT_THAT(checks(), ElementsAre("1 overlap across an event, c1", "1 shorter than the model's latencies, c1"));
}

TEST_F(Measured, WhatBeganSoonerThanTheModelCouldIsTold) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  kernel(s, 105, 201, 300);
  kernel(s, 106, 301, 400);
  EXPECT_THAT(delays(), ElementsAre(8, 0, 0));
  EXPECT_THAT(checks(), ElementsAre("2 shorter than the model's latencies, c1"));
}

TEST_F(Measured, CopiesHaveLatenciesOfTheirOwn) {
  const auto s = stream();
  copy(s, 100, 110, 200);
  kernel(s, 105, 206, 300);
  copy(s, 107, 306, 400);
  EXPECT_THAT(delays(), ElementsAre(9, 3, 4));
}

// --- Commands without calls ---

TEST_F(Measured, WhatWasCalledForBeforeTheCaptureIsInItsStreamFromTheBeginning) {
  const auto s = stream();
  kernel(s, -1, 50, 60);
  kernel(s, 40, 70, 80);
  kernel(s, -1, 90, 95);
  const Dependences of = found();
  EXPECT_EQ(of.commands[0].issued, 0);
  EXPECT_EQ(of.commands[0].delay, 48 * kUs);
  EXPECT_FALSE(of.commands[0].has_call);
  EXPECT_EQ(of.commands[2].issued, 88 * kUs) << "later ones when they began";
  EXPECT_THAT(checks(), ElementsAre("2 calls not recorded, c0"));
}

TEST_F(Measured, AStreamWithoutCallsIsAsItsCommandsBegan) {
  const auto s = stream();
  kernel(s, -1, 50, 60);
  kernel(s, -1, 90, 95);
  EXPECT_THAT(delays(), ElementsAre(0, 0));
  EXPECT_THAT(checks(), IsEmpty());
}

TEST_F(Measured, ACallThatMetAFullQueueIssuesWhenItWasLetIn) {
  const auto s = stream();
  kernel(s, 100, 110, 500);
  kernel(s, 101, 510, 600);
  kernel(s, 102, 610, 700);
  program.threads[0].calls[2].entered = ns(505);
  program.threads[0].calls[2].end = ns(506);
  const Dependences of = found();
  EXPECT_EQ(of.commands[2].issued, 505 * kUs);
  EXPECT_EQ(of.launch_queue, 2u) << "both of the others were in it";
  EXPECT_EQ(of.calls[0][2].start, 102 * kUs);
  EXPECT_EQ(of.calls[0][2].resumed, 505 * kUs) << "until then it waited, which is no time of the host's";
}

TEST_F(Measured, AQueueThatNobodyFoundFullIsNotKnown) {
  const auto s = stream();
  kernel(s, 100, 110, 500);
  kernel(s, 101, 510, 600);
  EXPECT_EQ(found().launch_queue, 0u);
}

// --- Room ---

TEST_F(Measured, WhatWaitedForRoomHasNoDelay) {
  const auto a = stream(), b = stream(), c = stream();
  kernel(a, 100, 110, 500, 100);
  kernel(b, 105, 505, 600, 50);  // all SMs were taken
  kernel(c, 590, 602, 700, 30);
  EXPECT_THAT(delays(), ElementsAre(8, 0, 10)) << "how much of 398 was no wait for room is not known";
}

TEST_F(Measured, WhatHadRoomWaitedForSomethingElse) {
  const auto a = stream(), b = stream();
  kernel(a, 100, 110, 500, 85);
  kernel(b, 105, 505, 600, 50);
  EXPECT_THAT(delays(), ElementsAre(8, 398)) << "a tenth of the GPU is enough to begin";
}

TEST_F(Measured, RoomIsSharedByAllThatRan) {
  const auto a = stream(), b = stream(), c = stream();
  kernel(a, 100, 110, 500, 50);
  kernel(b, 101, 111, 500, 45);
  kernel(c, 105, 505, 600, 50);
  EXPECT_THAT(delays(), ElementsAre(8, 8, 0));
}

TEST_F(Measured, WhatHadEndedTakesNoRoom) {
  const auto a = stream(), b = stream();
  kernel(a, 10, 20, 100, 100);
  kernel(b, 100, 120, 130, 50);
  EXPECT_THAT(delays(), ElementsAre(8, 18));
}

TEST_F(Measured, CopiesWaitForCopiesOfTheirKindAndNotForKernels) {
  const auto a = stream(), b = stream(), c = stream(), d = stream();
  copy(a, 100, 105, 500);
  kernel(b, 100, 110, 500, 100);
  copy(c, 101, 300, 310, CopyKind::kDeviceToDevice);
  copy(d, 102, 501, 600, CopyKind::kDeviceToHost);
  EXPECT_THAT(delays(), ElementsAre(4, 8, 198, 0));
}

// --- What times refute ---

TEST_F(Measured, AStreamThatDidNotWaitForTheDefaultStreamIsNonBlocking) {
  const auto null = stream(StreamKind::kDefault), blocking = stream(StreamKind::kBlocking);
  kernel(null, 100, 110, 500);
  kernel(blocking, 102, 115, 200);
  kernel(blocking, 104, 205, 300);
  const Dependences of = found();
  EXPECT_THAT(of.blocking, ElementsAre(true, false));
  EXPECT_THAT(delays(), ElementsAre(8, 11, 2)) << "so the default stream holds none of it";
  EXPECT_THAT(checks(), ElementsAre("1 default stream, c1"));
}

TEST_F(Measured, AWaitThatTimesRefuteIsLeftOut) {
  const auto s = stream(), other = stream();
  kernel(s, 100, 110, 500);
  const auto event = record(s, 102);
  call(CallKind::kWaitEvent, 104, 104.5, other, event);
  kernel(other, 106, 120, 300);
  kernel(other, 107, 600, 700);
  EXPECT_THAT(delays(), ElementsAre(8, 12, 297));
  EXPECT_THAT(checks(), ElementsAre("1 waits refuted, c1"));
  const Dependences of = found();
  for (const StreamEntry& entry : of.streams[1]) EXPECT_EQ(entry.kind, StreamEntry::Kind::kCommand);
}

TEST_F(Measured, AWaitThatTimesRefuteIsNotPassedOn) {
  const auto last = stream(), s = stream(), first = stream();
  kernel(first, 100, 110, 500);
  const auto event = record(first, 102);
  call(CallKind::kWaitEvent, 104, 104.5, s, event);
  kernel(s, 106, 120, 300);
  const auto passed_on = record(s, 108);
  call(CallKind::kWaitEvent, 109, 109.5, last, passed_on);
  kernel(last, 110, 310, 400);
  EXPECT_THAT(delays(), ElementsAre(8, 12, 7)) << "301 until 308";
  EXPECT_THAT(checks(), ElementsAre("1 waits refuted, c1"));
}

TEST_F(Measured, ACallThatReturnedEarlyDoesNotWait) {
  const auto s = stream();
  kernel(s, 100, 110, 500);
  call(CallKind::kSynchronizeStream, 102, 300, s);
  call(CallKind::kSynchronizeStream, 310, 505, s);
  EXPECT_THAT(waits(), ElementsAre(std::pair(false, 100.0), std::pair(false, 102.0), std::pair(true, 501.0)));
  EXPECT_THAT(checks(), ElementsAre("1 returned early, 102000 ns"));
}

// --- What held the host ---

TEST_F(Measured, AThreadGoesOnWhenTheHostKnowsOfTheEnd) {
  const auto s = stream(), other = stream();
  kernel(s, 100, 110, 500);
  kernel(other, 101, 111, 700);
  call(CallKind::kSynchronizeStream, 102, 505, s);
  call(CallKind::kSynchronizeDevice, 510, 705, s);
  call(CallKind::kSynchronizeDevice, 710, 715, s);
  EXPECT_THAT(waits(), ElementsAre(std::pair(false, 100.0), std::pair(false, 101.0), std::pair(true, 501.0),
                                   std::pair(true, 701.0), std::pair(true, 710.0)))
      << "the last has nothing to wait for, here; under another policy it may";
}

TEST_F(Measured, AThreadWaitsForWhatWasCalledForBefore) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  call(CallKind::kSynchronizeStream, 150, 205, s);
  kernel(s, 160, 210, 500);
  EXPECT_THAT(waits(), ElementsAre(std::pair(false, 100.0), std::pair(true, 201.0), std::pair(false, 160.0)));
}

TEST_F(Measured, ADeviceIsAContextOfIt) {
  const auto s = stream(), far = stream(StreamKind::kNonBlocking, 2);
  kernel(s, 100, 110, 200);
  kernel(far, 101, 111, 700);
  call(CallKind::kSynchronizeDevice, 102, 205, s);
  EXPECT_THAT(waits(), ElementsAre(std::pair(false, 100.0), std::pair(false, 101.0), std::pair(true, 201.0)));
}

TEST_F(Measured, AThreadWaitsForAnEvent) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  const auto event = record(s, 102);
  kernel(s, 104, 210, 700);
  call(CallKind::kSynchronizeEvent, 106, 203, s, event);
  EXPECT_EQ(waits().back(), std::pair(true, 201.0));
}

TEST_F(Measured, ACopyThatHeldItsThreadDoesSoAgain) {
  const auto s = stream();
  copy(s, 100, 110, 200);
  program.threads[0].calls[0].waits = true;
  program.threads[0].calls[0].end = ns(205);
  EXPECT_THAT(waits(), ElementsAre(std::pair(true, 201.0)));
}

TEST_F(Measured, WhatNoManualPromisesIsTakenOnlyWhereItWaited) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  call(CallKind::kSynchronizeDevice, 102, 203, s).implied = true;
  call(CallKind::kSynchronizeDevice, 210, 211, s).implied = true;
  kernel(s, 212, 220, 400);
  call(CallKind::kSynchronizeDevice, 215, 230, s).implied = true;
  EXPECT_THAT(waits(), ElementsAre(std::pair(false, 100.0), std::pair(true, 201.0), std::pair(false, 210.0),
                                   std::pair(false, 212.0), std::pair(false, 215.0)));
  EXPECT_THAT(checks(), IsEmpty()) << "a cudaFree that does not wait is none that returned early";
}

TEST_F(Measured, EventsThatNobodyWaitsForAreNotNeeded) {
  const auto s = stream();
  kernel(s, 100, 110, 200);
  record(s, 102);
  EXPECT_THAT(found().waited_for, ElementsAre(false));
}

}  // namespace
}  // namespace gputlm
