#include "models/host/mailbox_core.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "tests/unit/sm/plain_items.h"

namespace gputlm::test {
namespace {

using namespace mailbox;
using Answer = MailboxCore::Answer;

std::shared_ptr<Kernel> kernel(const std::string& name) {
  ProgramSpec spec;
  spec.name = name;
  spec.body.push_back({ArithmeticElement{}});
  return std::make_shared<ProgramKernel>(spec, 0);
}

MailboxSetup two_streams() {
  MailboxSetup setup;
  setup.kernels = {kernel("a"), kernel("b")};
  setup.streams = {{"low"}, {"high", 0, -1}};
  setup.copies = true;
  setup.commands = 3;
  return setup;
}

/// A mailbox, and a GPU on which a kernel takes 100 cycles and a copy 10, from the doorbell to the end.
class Mailboxes : public testing::Test {
 protected:
  std::uint64_t read(StreamId stream, Address reg) { return value((stream + 1) * kPage + reg); }
  std::uint64_t value(Address offset) {
    std::uint64_t value = 0;
    EXPECT_EQ(core.read(offset, now, value), Answer::kDone) << offset;
    return value;
  }
  void write(StreamId stream, Address reg, std::uint64_t value) {
    EXPECT_EQ(core.write((stream + 1) * kPage + reg, now, value), Answer::kDone) << reg;
  }
  /// Rings for a launch; its ticket, 0 if it was refused.
  std::uint64_t launch(StreamId stream, std::uint64_t handle = 0) {
    write(stream, kKernel, handle);
    return ring(stream, kLaunch);
  }
  std::uint64_t copy(StreamId stream, Bytes bytes) {
    write(stream, kTo, 0x1000);
    write(stream, kBytes, bytes);
    return ring(stream, kCopy);
  }
  std::uint64_t ring(StreamId stream, std::uint64_t command) {
    const std::uint64_t taken = read(stream, kTaken);
    write(stream, kDoorbell, command);
    return read(stream, kTaken) == taken ? 0 : read(stream, kTaken);
  }
  void run_to(Cycle until) {
    for (; now < until; ++now) {
      for (; !kernels_.empty() && kernels_.begin()->first <= now; kernels_.erase(kernels_.begin())) {
        core.completions().push(now, *kernels_.begin()->second);
        core.launches().credit(now, 1);
      }
      for (; !copies_.empty() && copies_.begin()->first <= now; copies_.erase(copies_.begin())) {
        core.copy_ends().push(now, *copies_.begin()->second);
        core.copies().credit(now, 1);
      }
      core.advance(now + 1);
      for (const auto& departure : core.launches().departures()) {
        KernelLaunch& launch = *departure.item;
        sent.emplace_back(departure.slot, launch.identity.stream, launch.command, launch.priority);
        launch.first_block = departure.slot + 1;
        launch.end = departure.slot + 99;
        launch.counters.instructions = 7;
        kernels_.emplace(departure.slot + 100, &launch);
      }
      core.launches().departures().clear();
      for (const auto& departure : core.copies().departures()) copies_.emplace(departure.slot + 10, departure.item);
      core.copies().departures().clear();
    }
  }

  using Sent = std::tuple<Cycle, StreamId, std::uint32_t, int>;  ///< cycle, stream, handle, priority
  Cycle now = 0;
  std::vector<Sent> sent;
  MailboxCore core{two_streams(), {4, 2, 2}, launches_, copy_items_, words_};
  std::size_t items() const { return launches_.in_use() + copy_items_.in_use(); }

 private:
  PlainItems<KernelLaunch> launches_;
  PlainItems<Copy> copy_items_;
  PlainItems<PendingWork> words_;
  std::multimap<Cycle, KernelLaunch*> kernels_;
  std::multimap<Cycle, Copy*> copies_;
};

TEST_F(Mailboxes, RunTheCommandsOfAStreamOneAfterTheOtherAndStreamsSideBySide) {
  EXPECT_EQ(launch(0, 0), 1u);
  EXPECT_EQ(launch(0, 1), 2u);
  EXPECT_EQ(launch(1, 1), 1u);
  run_to(1000);
  // The doorbells came in cycle 0; the more urgent stream goes first, and a link takes one launch a cycle.
  EXPECT_EQ(sent, (std::vector<Sent>{{1, 1, 1, -1}, {2, 0, 0, 0}, {102, 0, 1, 0}}));
  EXPECT_TRUE(core.done());
  EXPECT_EQ(items(), 0u);
}

TEST_F(Mailboxes, SayWhichCommandsHaveEndedInTheirOrder) {
  launch(0);
  copy(1, 4096);
  copy(1, 4096);
  EXPECT_EQ(value(kInFlight), 3u);
  EXPECT_EQ(value(kEnded), 0u);
  run_to(500);
  EXPECT_EQ(value(kEnds), 3u);
  EXPECT_EQ(value(kEnded), std::uint64_t{1} << 32 | 1);
  EXPECT_EQ(value(kEnded), std::uint64_t{1} << 32 | 2);
  EXPECT_EQ(value(kEnded), std::uint64_t{0} << 32 | 1);
  EXPECT_EQ(value(kEnded), 0u);
  EXPECT_EQ(value(kInFlight), 0u);
  EXPECT_EQ(read(0, kCompleted), 1u);
  EXPECT_EQ(read(1, kCompleted), 2u);
}

TEST_F(Mailboxes, ShowAnEndInTheCycleAfterTheyHaveHeardOfIt) {
  launch(0);  // goes in cycle 1, and is heard of in 101
  run_to(102);
  now = 101;
  EXPECT_EQ(read(0, kCompleted), 0u);
  EXPECT_EQ(core.next_to_show(), 102u);
  now = 102;
  EXPECT_EQ(read(0, kCompleted), 1u);
}

TEST_F(Mailboxes, CountWhatStreamsHaveDone) {
  launch(0);
  launch(0);
  copy(1, 4096);
  run_to(500);
  EXPECT_EQ(read(0, kInstructions), 14u);
  EXPECT_EQ(read(0, kStarted), 102u);
  EXPECT_EQ(read(0, kFinished), 200u);
  EXPECT_EQ(read(1, kCopied), 4096u);
}

TEST_F(Mailboxes, HoldTheInterruptLineWhileThereAreEndsToBeRead) {
  launch(0);
  run_to(500);
  EXPECT_FALSE(core.interrupt(now)) << "not enabled";
  EXPECT_EQ(core.write(kInterruptEnable, now, 1), Answer::kDone);
  EXPECT_TRUE(core.interrupt(now));
  value(kEnded);
  EXPECT_FALSE(core.interrupt(now));
}

TEST_F(Mailboxes, SayThatLaunchesComeNextWhereContextsTakeTurns) {
  const auto said = [](const TurnTaking& turns) {
    PlainItems<KernelLaunch> items;
    PlainItems<Copy> copies;
    PlainItems<PendingWork> words;
    MailboxCore box(two_streams(), {4, 2, 2, turns, 1}, items, copies, words);
    const auto ring = [&](StreamId stream, Cycle at) { box.write((stream + 1) * kPage + kDoorbell, at, kLaunch); };
    ring(0, 0);
    ring(0, 0);
    box.advance(5);  // the first goes, with the second behind it
    ring(1, 5);
    box.advance(10);
    ring(1, 10);
    box.advance(20);
    std::vector<bool> all;
    for (const auto& departure : box.launches().departures()) all.push_back(departure.item->more_pending);
    for (const auto& departure : box.pending_work().departures()) all.push_back(departure.item->pending);
    return all;
  };
  EXPECT_EQ(said({true, false}), (std::vector<bool>{true, true})) << "no word: it is known";
  EXPECT_EQ(said({}), (std::vector<bool>{false, false}));
}

TEST_F(Mailboxes, TakeAWordForALaunchThatComesBehindAKernelThatRuns) {
  PlainItems<KernelLaunch> items;
  PlainItems<Copy> copies;
  PlainItems<PendingWork> words;
  MailboxCore box(two_streams(), {4, 2, 2, {true, false}, 1}, items, copies, words);
  box.write(kPage + kDoorbell, 0, kLaunch);
  box.advance(10);
  EXPECT_FALSE(box.launches().departures().at(0).item->more_pending);
  box.write(kPage + kDoorbell, 30, kLaunch);
  box.advance(100);
  ASSERT_EQ(box.pending_work().departures().size(), 1u);
  EXPECT_EQ(box.pending_work().departures()[0].slot, 31u);
  EXPECT_TRUE(box.pending_work().departures()[0].item->pending);
}

TEST_F(Mailboxes, TakeNoMoreKernelsOfAnApplicationThanTheWorkDistributorDoes) {
  MailboxSetup setup = two_streams();
  setup.streams = {{"a"}, {"b"}, {"c"}};
  PlainItems<KernelLaunch> items;
  PlainItems<Copy> copies;
  PlainItems<PendingWork> words;
  MailboxCore three(setup, {4, 2, 2}, items, copies, words);
  for (StreamId s = 0; s < 3; ++s) three.write((s + 1) * kPage + kDoorbell, 0, kLaunch);
  three.advance(50);
  EXPECT_EQ(three.launches().departures().size(), 2u);
}

TEST_F(Mailboxes, RefuseADoorbellWithTheReason) {
  const auto refused = [&](StreamId stream, std::uint64_t command) {
    EXPECT_EQ(ring(stream, command), 0u);
    const std::uint64_t error = read(stream, kError);
    write(stream, kError, 0);
    EXPECT_EQ(read(stream, kError), kNone) << "a write clears it";
    return error;
  };
  EXPECT_EQ(refused(0, 3), kNoSuchCommand);
  write(0, kKernel, 2);
  EXPECT_EQ(refused(0, kLaunch), kNoSuchKernel);
  write(0, kKernel, 0);
  for (const std::uint64_t priority : {std::uint64_t{1}, std::uint64_t{0xfffffffe}}) {
    write(0, kPriority, priority);
    EXPECT_EQ(refused(0, kLaunch), kNoSuchPriority) << priority;
  }
  EXPECT_EQ(refused(0, kCopy), kNoSuchCopy) << "of no bytes";
  write(0, kBytes, 16);
  write(0, kCopyKind, 4);
  EXPECT_EQ(refused(0, kCopy), kNoSuchCopy) << "of a kind that there is not";
  write(0, kCopyKind, 0);
  write(0, kTo, (std::uint64_t{1} << 47) - 15);
  EXPECT_EQ(refused(0, kCopy), kNoSuchCopy) << "beyond the addresses";
  for (unsigned i = 0; i < 3; ++i) EXPECT_EQ(launch(1), i + 1);
  write(1, kKernel, 0);
  EXPECT_EQ(refused(1, kLaunch), kFull);
  run_to(500);
  EXPECT_EQ(launch(1), 4u) << "there is room again";
}

TEST_F(Mailboxes, RefuseAccessesToWhatIsNoRegisterOrNotMeantForThem) {
  std::uint64_t value = 0;
  EXPECT_EQ(core.read(kPage + 0x78, 0, value), Answer::kNowhere);
  EXPECT_EQ(core.read(core.register_bytes(), 0, value), Answer::kNowhere);
  EXPECT_EQ(core.write(core.register_bytes() + kPage, 0, 1), Answer::kNowhere);
  EXPECT_EQ(core.read(kPage + kDoorbell, 0, value), Answer::kWriteOnly);
  for (const Address offset : {Address{kEnded}, kPage + kTaken, kPage + kApplication})
    EXPECT_EQ(core.write(offset, 0, 1), Answer::kReadOnly) << offset;
  EXPECT_EQ(value, 0u);
}

TEST_F(Mailboxes, ShowWhatPeekingDoesNotTake) {
  launch(0);
  run_to(500);
  std::uint64_t ended = 0;
  EXPECT_EQ(core.peek(kEnded, now, ended), Answer::kDone);
  EXPECT_EQ(ended, 1u);
  EXPECT_EQ(value(kEnded), 1u);
}

}  // namespace
}  // namespace gputlm::test
