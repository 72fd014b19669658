// Profiles and captures: which launch of the one is which kernel of the other, and the replay's messages about it.
#include "platform/programs/kernel_profile.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "platform/input/preset.h"
#include "platform/programs/program_selection.h"
#include "platform/programs/replay.h"

namespace gputlm {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Kernels one after the other, with a call each.
class Joined : public testing::Test {
 protected:
  Joined() {
    program.path = "capture";
    program.gpu.sms = 30;
    program.streams = {{1, 1, 7}};
    program.process_names = {"decode"};
  }
  void kernel(const std::string& name, Dim3 grid = {4}, Dim3 block = {64}) {
    MeasuredCommand command;
    command.label = fmt::format("k{}", program.commands.size());
    command.start = 10'000 * static_cast<Nanoseconds>(program.commands.size() + 1);
    command.end = command.start + 5'000;
    command.what = MeasuredKernel{name, grid, block};
    program.commands.push_back(command);
  }
  static ProfiledLaunch launch(const std::string& name, double reads, std::optional<Dim3> grid = Dim3{4},
                               std::optional<Dim3> block = Dim3{64}) {
    ProfiledLaunch made{name, grid, block, {}, {}, 1, {}};
    if (grid) made.blocks = grid->count();
    if (block) made.threads = block->count();
    made.demand.dram_read_bytes = reads;
    made.demand.source = fmt::format("p.csv, line {}", reads);
    return made;
  }
  /// Bytes that each kernel reads; -1: it has no demand.
  std::vector<double> reads(const std::vector<ProfiledLaunch>& launches) {
    join(program, {{"p.csv", launches}});
    return reads();
  }
  std::vector<double> reads() const {
    std::vector<double> all;
    for (const MeasuredCommand& command : program.commands)
      all.push_back(command.kernel()->demand ? command.kernel()->demand->dram_read_bytes.value_or(-2) : -1);
    return all;
  }
  Workload replay() const {
    ProgramRun run;
    run.release = Release::kStart;
    return replayed({program}, {"capture"}, run, load_gpu("rtx2060"));
  }
  /// Those that are about demands: kernels that were not called for begin too soon for the model.
  static std::vector<std::string> checks(const Workload& workload) {
    std::vector<std::string> all;
    for (const ProgramCheck& check : dynamic_cast<const ReplayOrigin&>(*workload.origin).programs.at(0).checks) {
      if (check.name == "shorter than the model's latencies") continue;
      all.push_back(fmt::format("{} {}: {} ({})", check.count, check.name, check.meaning, check.first));
    }
    return all;
  }

  Program program;
};

TEST_F(Joined, NameGridAndBlockTellKernelsApart) {
  kernel("gemm(int)");
  kernel("gemm(int)", {8});
  kernel("gemm(int)", {4}, {32});
  kernel("norm(int)");
  EXPECT_THAT(reads({launch("norm(int)", 3), launch("gemm(int)", 1, Dim3{8}), launch("gemm(int)", 2)}),
              ElementsAre(2, 1, -1, 3));
}

TEST_F(Joined, AsManyLaunchesAreJoinedInTheirOrder) {
  for (int i = 0; i < 3; ++i) kernel("gemm(int)");
  EXPECT_THAT(reads({launch("gemm(int)", 1), launch("gemm(int)", 2), launch("gemm(int)", 3)}), ElementsAre(1, 2, 3));
}

TEST_F(Joined, TheOrderIsThatOfCalls) {
  kernel("gemm(int)");
  kernel("gemm(int)");
  program.commands[0].called = 9'000;  // from another stream, and begun earlier
  program.commands[1].called = 5'000;
  EXPECT_THAT(reads({launch("gemm(int)", 1), launch("gemm(int)", 2)}), ElementsAre(2, 1));
}

TEST_F(Joined, OneStandsForAllAndOthersInTheMean) {
  for (int i = 0; i < 3; ++i) kernel("gemm(int)");
  for (int i = 0; i < 3; ++i) kernel("norm(int)");
  EXPECT_THAT(reads({launch("gemm(int)", 7), launch("norm(int)", 1), launch("norm(int)", 5)}),
              ElementsAre(7, 7, 7, 3, 3, 3));
  EXPECT_THAT(checks(replay()), Contains(HasSubstr("3 mean demand: ")));
}

TEST_F(Joined, ASummaryIsAMean) {
  kernel("gemm(int)");
  kernel("gemm(int)", {8});
  ProfiledLaunch summary = launch("gemm(int)", 7, std::nullopt, std::nullopt);  // which has no shapes
  summary.launches = 2;
  EXPECT_THAT(reads({summary}), ElementsAre(7, 7));
  EXPECT_THAT(checks(replay()), Contains(HasSubstr("2 mean demand: ")));
}

TEST_F(Joined, NamesAreTheSameHoweverDemanglersWriteThem) {
  kernel("void ns::gemm<4>(float*, int)");
  kernel("_Z4normPf");
  kernel("void other(int)");
  EXPECT_THAT(reads({launch("void ns::gemm<(int)4>(float *, int)", 1), launch("norm(float *)", 2), launch("other", 3)}),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(checks(replay()), Contains(HasSubstr("2 demand by function: "))) << "norm's name is the same";
}

TEST_F(Joined, AFunctionWithSeveralKernelsInTheProfileIsNobodys) {
  kernel("gemm<8>(int)");
  EXPECT_THAT(reads({launch("gemm<(int)4>(int)", 1), launch("gemm<(int)8>(int)", 2)}), ElementsAre(-1));
}

TEST_F(Joined, CountersOfSeveralProfilesCompleteEachOther) {
  kernel("gemm(int)");
  ProfiledLaunch second = launch("gemm(int)", 2);
  second.demand.l2_hit_rate = 0.5;
  join(program, {{"a.csv", {launch("gemm(int)", 1)}}, {"b.csv", {second}}});
  EXPECT_THAT(reads(), ElementsAre(1)) << "the first that knows it";
  EXPECT_EQ(program.commands[0].kernel()->demand->l2_hit_rate, 0.5);
  EXPECT_EQ(program.commands[0].kernel()->demand->source, "p.csv, line 1; p.csv, line 2");
}

TEST_F(Joined, KernelsOfTheWorkloadHaveTheDemandsAndTheReplaySaysWhichDoNot) {
  kernel("gemm(int)");
  kernel("norm(int)");
  reads({launch("gemm(int)", 5), launch("nobody(int)", 6), launch("nobody(int)", 7)});
  const Workload workload = replay();
  ASSERT_TRUE(workload.launches.at(0).kernel->demand);
  EXPECT_EQ(workload.launches.at(0).kernel->demand->dram_read_bytes, 5);
  EXPECT_FALSE(workload.launches.at(1).kernel->demand);
  EXPECT_THAT(checks(workload),
              ElementsAre(HasSubstr("2 profile without a kernel: launches of p.csv are of no kernel of the capture"),
                          HasSubstr("1 no demand: "),
                          testing::AllOf(HasSubstr("1 partly measured: "), HasSubstr("l2_hit_rate, l2_read_sectors"),
                                         Not(HasSubstr("dram_read_bytes")), Not(HasSubstr("sectors_in_flight")))));
  EXPECT_THAT(workload.warnings, Contains(HasSubstr("1 kernels have no launch of their name, grid and block")));
  EXPECT_EQ(dynamic_cast<const ReplayOrigin&>(*workload.origin).programs.at(0).with_demand, 1u);
}

TEST_F(Joined, APartOfTheProgramIsJoinedAsItWasInTheWhole) {
  for (int i = 0; i < 3; ++i) kernel("gemm(int)");
  reads({launch("gemm(int)", 1), launch("gemm(int)", 2), launch("gemm(int)", 3)});
  ProgramSelection last;
  last.kernels = [](std::size_t number) { return number == 3; };
  program = selected(program, last);
  EXPECT_THAT(reads(), ElementsAre(3));
  EXPECT_THAT(checks(replay()), Contains(HasSubstr("1 partly measured"))) << "the part has a profile, too";
}

TEST_F(Joined, WithoutAProfileNothingIsSaid) {
  kernel("gemm(int)");
  const Workload workload = replay();
  EXPECT_THAT(checks(workload), IsEmpty());
  EXPECT_EQ(dynamic_cast<const ReplayOrigin&>(*workload.origin).programs.at(0).with_demand, std::nullopt);
}

}  // namespace
}  // namespace gputlm
