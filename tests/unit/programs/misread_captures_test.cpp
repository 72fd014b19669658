// Captures that are easily misread (tests/support/misread_captures.h), from the file to the workload.
#include "tests/support/misread_captures.h"

#include <gmock/gmock.h>

#include "platform/input/preset.h"
#include "platform/programs/capture.h"
#include "platform/programs/replay.h"
#include "tests/support/test_folder.h"
#include "tests/unit/programs/of_program.h"

namespace gputlm {
namespace {

using captured::Memory;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class MisreadCaptures : public testing::Test {
 protected:
  Program read(const NsightExport& file) const {
    file.write(folder.path("t.sqlite"));
    return capture_formats().at("Nsight Systems").read(folder.path("t.sqlite"), {});
  }
  Workload workload(const Program& program, std::optional<Release> release = std::nullopt) const {
    ProgramRun run;
    run.release = release;
    return replayed({program}, {"t"}, run, gpu);
  }

  TestFolder folder;
  const GpuConfig gpu = load_gpu("a100");
};

class MisreadCapturesOfVersion : public MisreadCaptures, public testing::WithParamInterface<NsightVersion> {};

TEST_P(MisreadCapturesOfVersion, PageableMemoryIsPageable) {
  for (const Memory memory : {Memory::kPageable, Memory::kPinned}) {
    const Program program = read(captured::copy_from(memory, GetParam()));
    ASSERT_THAT(labels(program), ElementsAre("host_to_device#1", "after"));
    EXPECT_EQ(program.commands[0].copy()->pageable, memory == Memory::kPageable);
    EXPECT_EQ(workload(program).copies.at(0).pageable, memory == Memory::kPageable);
  }
}

TEST_P(MisreadCapturesOfVersion, PriorityMinusFiveIsUrgent) {
  const Program program = read(captured::urgent_beside_background(GetParam()));
  EXPECT_EQ(stream_of(program, 13).priority, -5);
  EXPECT_EQ(command_of(program, "urgent").called, 2 * captured::kMs);
  const Workload replay = workload(program);
  EXPECT_THAT(replay.settings, Contains("work_distributor.priorities=6"));
  EXPECT_EQ(replay.streams.at(replay.launches.at(1).stream).priority, -5);
}

TEST_P(MisreadCapturesOfVersion, KernelsOfAStreamOverlap) {
  const Workload replay = workload(read(captured::overlapping_layers(GetParam())), Release::kStart);
  ASSERT_EQ(replay.launches.size(), 20u);
  EXPECT_FALSE(replay.launches[0].overlaps);
  for (std::size_t i = 1; i < 20; ++i) {
    EXPECT_TRUE(replay.launches[i].overlaps);
    EXPECT_EQ(replay.launches[i].release, i * Femtoseconds{50'000'000'000});
  }
}

TEST_P(MisreadCapturesOfVersion, AConsumerWaitsForItsProducer) {
  const Program program = read(captured::producer_and_consumer(GetParam()));
  EXPECT_THAT(calls(program), ElementsAre("producer", "event 0 in 13", "14 waits for event 0", "consumer"));
  EXPECT_THAT(notes(program), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Versions, MisreadCapturesOfVersion,
                         testing::Values(NsightVersion::k2024_5, NsightVersion::k2025_5, NsightVersion::k2026_2));

TEST_F(MisreadCaptures, AConsumerOfPyTorchWaitsForItsProducerToo) {
  captured::producer_and_consumer_of_pytorch().write(folder.path("t.json"));
  const Program program = capture_formats().at("PyTorch's profiler").read(folder.path("t.json"), {});
  EXPECT_THAT(calls(program), ElementsAre("producer", "event 0 in 13", "14 waits for event 0", "consumer"));
  EXPECT_THAT(notes(program), IsEmpty());
}

TEST_F(MisreadCaptures, TheConsumersDelayIsThatBehindTheProducersEnd) {
  const Workload replay = workload(read(captured::producer_and_consumer(NsightVersion::k2025_5)));
  ASSERT_EQ(replay.launches.size(), 2u);
  EXPECT_LT(replay.launches[1].delay, Femtoseconds{5'000'000'000}) << "of the 5 us that it began later";
  EXPECT_EQ(replay.events.size(), 1u);
}

TEST_F(MisreadCaptures, APartOfTheGpuHasASizeThatMustBeAskedFor) {
  for (const NsightVersion version : {NsightVersion::k2025_5, NsightVersion::k2026_2}) {
    const Program program = read(captured::part_of_the_gpu(version));
    ASSERT_TRUE(program.commands.at(0).kernel()->share);
    const Workload replay = workload(program);
    EXPECT_THAT(replay.warnings,
                Contains(HasSubstr("whose 108 blocks of 1024 took 700000 ns: 2 to an SM, in 1 wave on 108 SMs")));
    EXPECT_THAT(replay.warnings, Contains(HasSubstr("set it by --sms")));
  }
}

}  // namespace
}  // namespace gputlm
