// Building a program from the contents of a capture, for all tools.
#include "platform/programs/program_builder.h"

#include <gmock/gmock.h>

#include "tests/unit/error_of.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using WaitKind = MeasuredCall::Kind;

constexpr std::uint64_t kProcess = 100, kThread = 101, kContext = 1;

/// A builder with words of its own; times in nanoseconds.
class Building : public testing::Test {
 protected:
  CapturePlace row() { return {"table", "row", ++row_}; }
  static MeasuredKernel one_block(const std::string& name = "k") { return {name, {1}, {32}}; }

  std::size_t on(std::uint64_t id, std::uint64_t context = kContext, std::uint64_t process = kProcess) {
    return builder.stream(process, context, id);
  }
  bool add(std::size_t stream, Nanoseconds start, Nanoseconds end, std::variant<MeasuredKernel, MeasuredCopy> what,
           std::optional<std::uint64_t> correlation = std::nullopt) {
    MeasuredCommand command;
    command.stream = stream;
    command.start = start;
    command.end = end;
    command.what = std::move(what);
    return builder.add(std::move(command), correlation, row());
  }
  void call(std::uint64_t correlation, Nanoseconds start, Nanoseconds end, std::string_view name,
            std::uint64_t thread = kThread, std::uint64_t process = kProcess) {
    builder.add({process, thread, correlation, start, end, name}, row());
  }
  void record(std::uint64_t correlation, std::uint64_t stream, const CapturedEvent& event) {
    builder.add_record(correlation, {kProcess, kContext, stream}, event, row());
  }
  void wait(WaitKind kind, std::uint64_t correlation, std::optional<std::uint64_t> stream,
            const std::optional<CapturedEvent>& event = std::nullopt, std::uint64_t context = kContext) {
    builder.add_wait(kind, correlation, {kProcess, context, stream}, event, row());
  }
  Program finish() { return builder.finish({{kProcess, "python"}}); }

  ProgramBuilder builder{"capture"};
  std::size_t row_ = 0;
};

TEST_F(Building, CommandsStandInTheOrderOfTheirStartsAndStreamsInThatOfTheirNumbers) {
  add(on(14), 3'000, 4'000, one_block("late"));
  add(on(13), 1'000, 9'000, one_block("early"));
  add(on(7, 2, 50), 2'000, 4'000, one_block("other"));
  const Program program = finish();
  EXPECT_THAT(labels(program), ElementsAre("early", "other", "late"));
  ASSERT_EQ(program.streams.size(), 3u);
  EXPECT_EQ(program.streams[0].process, 50u);
  EXPECT_EQ(program.streams[1].id, 13u);
  EXPECT_EQ(program.streams[2].id, 14u);
  EXPECT_EQ(program.streams[program.commands[0].stream].id, 13u);
  EXPECT_EQ(program.streams[program.commands[2].stream].id, 14u);
  EXPECT_THAT(program.process_names, ElementsAre("process 50", "python"));
}

TEST_F(Building, NamesAreShortAndNumberedWhereThereAreSeveral) {
  add(on(13), 1'000, 1'500, one_block("_Z4fillPi"));
  add(on(13), 2'000, 2'500, one_block("void ns::gemm<float>(float*)"));
  add(on(13), 3'000, 3'500, one_block("void ns::gemm<float>(float*)"));
  add(on(13), 4'000, 4'500, one_block(""));
  add(on(13), 5'000, 5'500, MeasuredCopy{CopyKind::kDeviceToHost, 8});
  const Program program = finish();
  EXPECT_THAT(labels(program), ElementsAre("fill", "gemm#1", "gemm#2", "kernel", "device_to_host#1"));
  EXPECT_EQ(program.commands[0].kernel()->name, "fill(int*)");
}

TEST_F(Building, ACommandIsCalledByWhatHasItsNumberInItsProcess) {
  call(5, 100, 300, "cudaLaunchKernel_v7000");
  call(5, 150, 350, "cudaLaunchKernel_v7000", 9, 50);
  add(on(13), 1'000, 2'000, one_block("mine"), 5);
  add(on(13, kContext, 50), 1'100, 2'000, one_block("other"), 5);
  add(on(13), 3'000, 4'000, one_block("nobody's"), 6);
  const Program program = finish();
  EXPECT_EQ(command_of(program, "mine").called, 100);
  EXPECT_EQ(command_of(program, "other").called, 150);
  EXPECT_FALSE(command_of(program, "nobody's").called);
}

TEST_F(Building, AKernelIsNotCalledAfterItBegan) {
  call(5, 1'200, 1'900, "cudaLaunchKernel_v7000");
  add(on(13), 1'000, 2'000, one_block(), 5);
  EXPECT_EQ(finish().commands.at(0).called, 1'000) << "clocks of host and GPU are off by something";
}

TEST_F(Building, ACallWithinAnotherOfTheSameNumberIsOneWithIt) {
  call(5, 120, 280, "cuLaunchKernel");
  call(5, 100, 300, "cudaLaunchKernel_v7000");
  add(on(13), 1'000, 2'000, one_block(), 5);
  const Program program = finish();
  ASSERT_EQ(program.threads.at(0).calls.size(), 1u);
  EXPECT_EQ(program.threads[0].calls[0].start, 100);
  EXPECT_EQ(program.threads[0].calls[0].end, 300);
  EXPECT_EQ(program.commands[0].called, 100);
}

TEST_F(Building, SeveralCommandsOfACallAreLinked) {
  call(5, 100, 300, "cudaGraphLaunch_v10000");
  call(6, 400, 500, "cudaLaunchKernel_v7000");
  add(on(13), 1'000, 2'000, one_block("a"), 5);
  add(on(13), 1'500, 2'000, one_block("other"), 6);
  add(on(14), 1'700, 2'000, one_block("b"), 5);
  add(on(13), 2'100, 2'200, one_block("c"), 5);
  const Program program = finish();
  EXPECT_THAT(calls(program), ElementsAre("a", "other"));
  EXPECT_EQ(program.commands[0].next, 2u);
  EXPECT_FALSE(program.commands[1].next);
  EXPECT_EQ(program.commands[2].next, 3u);
  EXPECT_FALSE(program.commands[3].next);
}

TEST_F(Building, ACopyHoldsItsThreadWhereManualsSayThatItMayAndTimesThatItDid) {
  const MeasuredCopy pinned{CopyKind::kHostToDevice, 64}, pageable{CopyKind::kDeviceToHost, 64, true},
      staged{CopyKind::kHostToDevice, 64, true}, within{CopyKind::kDeviceToDevice, 64}, set{CopyKind::kMemset, 64};
  struct Case {
    const char* name;
    MeasuredCopy copy;
    Nanoseconds returns;
    bool waits;
  };
  std::uint64_t number = 0;
  std::vector<bool> expected, expected_staged;
  for (const Case& c : std::vector<Case>{{"cudaMemcpy_v3020", pinned, 2'100, true},
                                         {"cudaMemcpyAsync_v3020", pinned, 2'100, false},
                                         {"cudaMemcpyAsync_v3020", pageable, 2'100, true},
                                         {"cudaMemcpy_v3020", staged, 2'100, true},
                                         {"cudaMemcpy_v3020", staged, 1'500, false},
                                         {"cudaMemcpyAsync_v3020", staged, 900, false},
                                         {"cudaMemcpy_v3020", within, 2'100, false},
                                         {"cudaMemset_v3020", set, 2'100, false}}) {
    call(++number, 100, c.returns, c.name);
    add(on(13), 1'000, 2'000, c.copy, number);
    expected.push_back(c.waits);
    expected_staged.push_back(c.copy.pageable && c.returns < 2'000);
  }
  std::vector<bool> waits, all_staged;
  const Program program = finish();
  for (const MeasuredCall& made : program.threads.at(0).calls) waits.push_back(made.waits);
  EXPECT_EQ(waits, expected);
  for (const MeasuredCommand& command : program.commands) all_staged.push_back(command.copy()->staged);
  EXPECT_EQ(all_staged, expected_staged) << "the call of a copy that was in a buffer returned before its end";
}

TEST_F(Building, AFullQueueIsLeftWithinItsCall) {
  for (std::uint64_t number = 1; number <= 4; ++number) {
    call(number, 100 * static_cast<Nanoseconds>(number), 100 * static_cast<Nanoseconds>(number) + 90,
         "cudaLaunchKernel");
    add(on(13), 1'000 * static_cast<Nanoseconds>(number), 1'000 * static_cast<Nanoseconds>(number) + 500, one_block(),
        number);
  }
  builder.full_queue(kProcess, 1, 180);
  builder.full_queue(kProcess, 2, 200);
  builder.full_queue(kProcess, 3, 391);
  builder.full_queue(kProcess, 77, 200);
  builder.full_queue(7, 4, 450);
  std::vector<Nanoseconds> entered;
  const Program program = finish();
  for (const MeasuredCall& made : program.threads.at(0).calls) entered.push_back(made.entered - made.start);
  EXPECT_THAT(entered, ElementsAre(80, 0, 0, 0));
}

TEST_F(Building, AWaitIsForTheRecordOfTheSameNumberOrTheLatestBeforeIt) {
  add(on(13), 1'000, 9'000, one_block());
  add(on(14), 1'000, 9'000, one_block());
  for (std::uint64_t i = 0; i < 6; ++i)
    call(10 + i, 100 * static_cast<Nanoseconds>(i + 1), 100 * static_cast<Nanoseconds>(i + 1) + 50, "f");
  record(10, 13, {5, 71});
  record(12, 13, {5, 72});
  wait(WaitKind::kWaitEvent, 13, 14, CapturedEvent{5, 71});
  wait(WaitKind::kSynchronizeEvent, 14, std::nullopt, CapturedEvent{5, 0});
  wait(WaitKind::kSynchronizeEvent, 15, std::nullopt, CapturedEvent{5, 73});
  const Program program = finish();
  EXPECT_THAT(calls(program),
              ElementsAre("event 0 in 13", "event 1 in 13", "14 waits for event 0", "waits for event 1"));
  EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 calls wait for an event whose recording is not")))
      << "record 73 is not there, and 72 is another";
}

TEST_F(Building, AWaitBeforeAnyRecordOfItsEventIsForNone) {
  add(on(13), 1'000, 9'000, one_block());
  add(on(14), 1'000, 9'000, one_block());
  call(10, 100, 150, "cudaStreamWaitEvent");
  call(11, 200, 250, "cudaEventRecord");
  record(11, 13, {5, 0});
  wait(WaitKind::kWaitEvent, 10, 14, CapturedEvent{5, 0});
  const Program program = finish();
  EXPECT_THAT(calls(program), IsEmpty());
  EXPECT_EQ(program.events, 0u);
  EXPECT_EQ(program.notes.size(), 1u);
}

TEST_F(Building, ARecordInAStreamWithoutCommandsKeepsItsStream) {
  add(on(13), 1'000, 9'000, one_block());
  call(10, 100, 150, "cudaEventRecord");
  call(11, 200, 250, "cudaStreamWaitEvent");
  record(10, 99, {5, 0});
  wait(WaitKind::kWaitEvent, 11, 13, CapturedEvent{5, 0});
  const Program program = finish();
  EXPECT_THAT(calls(program), ElementsAre("event 0 in 99", "13 waits for event 0"));
  EXPECT_EQ(program.streams.size(), 2u);
}

TEST_F(Building, CallsOfWhichOnlyTheNameIsKnownAreWhatTheyCanBe) {
  add(on(13), 1'000, 9'000, one_block());
  call(10, 100, 150, "cudaStreamSynchronize_v3020");
  call(11, 200, 250, "cudaDeviceSynchronize_v3020");
  call(12, 300, 350, "cudaFree_v3020");
  call(13, 400, 450, "cudaGetLastError");
  call(14, 500, 550, "cudaStreamSynchronize_v3020", kThread, 7);
  const Program program = finish();
  EXPECT_THAT(calls(program), ElementsAre("waits for 13", "waits for the device", "waits for the device"));
  EXPECT_FALSE(program.threads.at(0).calls[1].implied);
  EXPECT_TRUE(program.threads[0].calls[2].implied) << "no manual says that cudaFree waits";
  EXPECT_THAT(notes(program), IsEmpty()) << "the other process has no commands here";
}

TEST_F(Building, ACallThatMayBeForOneOfSeveralIsToldOf) {
  add(on(13), 1'000, 9'000, one_block());
  add(on(14), 1'000, 9'000, one_block());
  call(10, 100, 150, "cudaStreamSynchronize_v3020");
  call(11, 200, 250, "cudaDeviceSynchronize_v3020");
  Program program = finish();
  EXPECT_THAT(calls(program), ElementsAre("waits for the device")) << "both are of one context";
  EXPECT_THAT(
      notes(program),
      ElementsAre(HasSubstr(
          "1 calls wait for a stream that the capture does not name; their duration does not change (table, row 3)")));
}

TEST_F(Building, ContextsOfAProcessAreNotOneDevice) {
  add(on(13, 1), 1'000, 9'000, one_block());
  add(on(14, 2), 1'000, 9'000, one_block());
  call(11, 200, 250, "cudaDeviceSynchronize_v3020");
  call(12, 300, 350, "cudaFree_v3020");
  const Program program = finish();
  EXPECT_THAT(calls(program), IsEmpty());
  EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 calls wait for a stream that the capture does not name")))
      << "and cudaFree need not wait";
}

TEST_F(Building, WaitsForWhatHasNoCommandsAreNone) {
  add(on(13), 1'000, 9'000, one_block());
  call(10, 100, 150, "cudaStreamSynchronize_v3020");
  call(11, 200, 250, "cudaDeviceSynchronize_v3020");
  wait(WaitKind::kSynchronizeStream, 10, 99);
  wait(WaitKind::kSynchronizeDevice, 11, std::nullopt, std::nullopt, 2);
  const Program program = finish();
  EXPECT_THAT(calls(program), IsEmpty()) << "neither is for the only stream that has some";
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_F(Building, AStreamThatHasNothingButEventsPassesWaitsOn) {
  add(on(13), 1'000, 9'000, one_block());
  add(on(14), 9'500, 9'900, one_block());
  for (std::uint64_t i = 0; i < 4; ++i)
    call(10 + i, 100 * static_cast<Nanoseconds>(i + 1), 100 * static_cast<Nanoseconds>(i + 1) + 50, "f");
  record(10, 13, {5, 0});
  wait(WaitKind::kWaitEvent, 11, 99, CapturedEvent{5, 0});
  record(12, 99, {6, 0});
  wait(WaitKind::kWaitEvent, 13, 14, CapturedEvent{6, 0});
  EXPECT_THAT(calls(finish()),
              ElementsAre("event 0 in 13", "99 waits for event 0", "event 1 in 99", "14 waits for event 1"));
}

TEST_F(Building, ACallThatHasCommandsIsNoWait) {
  call(1, 100, 950, "cudaMemcpy");
  add(on(13), 200, 900, MeasuredCopy{CopyKind::kDeviceToHost, 64}, 1);
  wait(WaitKind::kSynchronizeStream, 1, 13);
  EXPECT_THAT(calls(finish()), ElementsAre("device_to_host#1"));
}

TEST_F(Building, WaitsWithoutACallAreToldOf) {
  add(on(13), 1'000, 9'000, one_block());
  wait(WaitKind::kSynchronizeStream, 10, 13);
  record(11, 13, {5, 0});
  EXPECT_THAT(notes(finish()),
              ElementsAre(HasSubstr("1 records of events have no call in the capture; waits for them are dropped"),
                          HasSubstr("1 waits have no call in the capture; they are left out")));
}

TEST_F(Building, CallsThatCannotBeAreLeftOut) {
  add(on(13), 1'000, 9'000, one_block(), 1);
  call(1, 0, 150, "cudaLaunchKernel_v7000");
  call(2, 200, 199, "cudaLaunchKernel_v7000");
  const Program program = finish();
  EXPECT_THAT(program.threads, IsEmpty());
  EXPECT_FALSE(program.commands[0].called);
  EXPECT_THAT(notes(program), ElementsAre("2 calls have no start, or end before it; they are left out (table, row 2)"));
}

// A session may be long and its GPU busy for a part of it only.
TEST_F(Building, CallsAndRangesFarFromAllCommandsAreLeftOut) {
  constexpr Nanoseconds kHour = 3'600'000'000'000;
  add(on(13), 3 * kHour, 3 * kHour + 1'000, one_block(), 1);
  call(1, 3 * kHour - 2'000, 3 * kHour - 1'000, "cudaLaunchKernel");
  add(on(13), 3 * kHour + 2'000, 3 * kHour + 3'000, one_block("called hours ago"), 5);
  call(5, 10, 20, "cudaLaunchKernel");
  call(2, 1'000, 2'000, "cudaDeviceSynchronize");
  call(3, 5 * kHour, 5 * kHour + 100, "cudaDeviceSynchronize");
  call(4, 3 * kHour + 2'000, INT64_MAX, "cudaDeviceSynchronize");
  builder.add(MeasuredRange{"near", kProcess, kThread, 3 * kHour - 3'000, 3 * kHour}, row());
  builder.add(MeasuredRange{"all", kProcess, kThread, 1, INT64_MAX}, row());
  const Program program = finish();
  EXPECT_THAT(calls(program), ElementsAre("k"));
  EXPECT_FALSE(command_of(program, "called hours ago").called);
  ASSERT_EQ(program.ranges.size(), 1u);
  EXPECT_EQ(program.ranges[0].name, "near");
  EXPECT_THAT(notes(program),
              ElementsAre(HasSubstr("3 calls are more than half an hour away from all commands; they are left out"),
                          HasSubstr("1 ranges are more than half an hour away from all commands; they are left out")));
}

TEST_F(Building, RangesStandInTheOrderOfTheirStarts) {
  add(on(13), 1'000, 9'000, one_block());
  builder.add(MeasuredRange{"b", kProcess, std::nullopt, 200, 300}, row());
  builder.add(MeasuredRange{"a", kProcess, std::nullopt, 100, 900}, row());
  builder.add(MeasuredRange{"backwards", kProcess, std::nullopt, 100, 99}, row());
  builder.add(MeasuredRange{"\xff", kProcess, std::nullopt, 100, 900}, row());
  builder.add(MeasuredRange{"before the recording", kProcess, std::nullopt, -50, 900}, row());
  const Program program = finish();
  std::vector<std::string> names;
  for (const MeasuredRange& range : program.ranges) names.push_back(range.name);
  EXPECT_THAT(names, ElementsAre("before the recording", "a", "b"));
  EXPECT_THAT(notes(program), ElementsAre(HasSubstr("1 ranges end before they start; they are left out")));
}

TEST_F(Building, ThreadsHaveNamesWhereTheyHaveCalls) {
  call(1, 100, 150, "cudaLaunchKernel");
  call(2, 100, 150, "cudaGetLastError", 7);
  add(on(13), 1'000, 9'000, one_block(), 1);
  builder.name_thread(kProcess, kThread, "main");
  builder.name_thread(kProcess, 7, "idle");
  const Program program = finish();
  ASSERT_EQ(program.threads.size(), 1u);
  EXPECT_EQ(program.threads[0].name, "main");
}

TEST_F(Building, APercentageOfThreadsIsAShareOfTheProcess) {
  MeasuredGpu gpu;
  gpu.sms = 108;
  builder.set_gpu(gpu, 25);
  add(on(13), 1'000, 9'000, one_block("a"));
  add(on(13, 1, 50), 1'000, 9'000, one_block("b"));
  MeasuredKernel green = one_block("c");
  green.share = builder.share(kProcess, 2);
  add(on(13), 1'000, 9'000, green);
  const Program program = finish();
  ASSERT_EQ(program.shares.size(), 3u);
  EXPECT_EQ(program.shares.at(*kernel_of(program, "a").share).sms, 27u);
  EXPECT_EQ(program.shares.at(*kernel_of(program, "a").share).process, kProcess);
  EXPECT_EQ(program.shares.at(*kernel_of(program, "b").share).process, 50u);
  EXPECT_EQ(program.shares.at(*kernel_of(program, "c").share).id, 2u);
  EXPECT_FALSE(program.shares.at(*kernel_of(program, "c").share).sms) << "a green context has a size of its own";
}

TEST_F(Building, ADeviceIsTheOneThatIsAskedForOrHasTheMost) {
  EXPECT_EQ(choose_device({{0, 5}}, std::nullopt, builder), 0u);
  EXPECT_EQ(choose_device({{0, 5}, {1, 7}, {2, 7}}, std::nullopt, builder), 1u) << "the first of them";
  EXPECT_EQ(choose_device({{0, 5}, {1, 7}}, 0, builder), 0u);
  EXPECT_EQ(choose_device({}, std::nullopt, builder), 0u);
  EXPECT_THAT(error_of([&] {
                choose_device({{0, 5}, {3, 7}}, 1, builder);
              }),
              HasSubstr("--device: found 1, allowed: 0, 3, the devices with kernels in capture"));
  EXPECT_EQ(finish().warnings.size(), 2u);
}

}  // namespace
}  // namespace gputlm
