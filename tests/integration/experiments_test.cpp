// The papers' experiments as regressions, and that they can fail: an experiment that agrees with every policy shows nothing.

#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "experiment_report.h"
#include "platform/experiments/cuda_hierarchy/same_sm_rule.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

std::string disagreements(const ExperimentReport& report) {
  std::string text;
  for (const Figure& f : report.figures) {
    if (!f.agrees()) text += f.name + ": paper " + f.paper.text() + ", ours " + f.ours.text() + " " + f.note + "\n";
  }
  return text;
}

TEST(KnownMisses, OfThePapersAreOfExperimentsThatThereAre) {
  for (const std::string& name : known_misses().experiments()) {
    EXPECT_EQ(find_experiments(name).size(), 1u) << name;
    for (const KnownMiss& miss : known_misses().of(name)) {
      EXPECT_TRUE(std::regex_match(miss.since, std::regex("20\\d\\d-\\d\\d-\\d\\d"))) << name << miss.why;
    }
  }
}

TEST(MostRoomPlacement, EveryRowIsAsInThePaper) {
  const ExperimentReport report = reproduce("most-room/placement");
  EXPECT_EQ(report.figures.size(), 13u);
  EXPECT_EQ(disagreements(report), "");
}

TEST(MostRoomPlacement, RoundRobinIsRefutedByEveryRowThatTellsThePoliciesApart) {
  const ExperimentReport report = reproduce("most-room/placement", instead("most_room", "round_robin"));
  for (const Figure& f : report.figures) {
    // Where A leaves SM 67 and B has one block an SM, round-robin goes on at SM 67 and comes to the same.
    // So it does with one kernel, whatever its shape.
    const auto is = [&](const char* text) { return f.name.find(text) != std::string::npos; };
    const bool the_same = is("under round_robin") || is("67x512 then 8x32") || is("section 4.3") || is("section 4.4");
    EXPECT_EQ(f.agrees(), the_same) << f.name << ": " << f.ours.text();
  }
}

TEST(MostRoomLeftover, ASecondKernelWaitsForAllBlocksOfTheFirst) {
  EXPECT_EQ(disagreements(reproduce("most-room/leftover")), "");
}

TEST(MostRoomLeftover, AnOrderThatKeepsRoomForOthersIsRefuted) {
  const ExperimentReport report = reproduce("most-room/leftover", instead("leftover", "mpmax"));
  EXPECT_FALSE(figure(report, "turing68: blocks of the second kernel begin").agrees());
}

TEST(BlockToSm, EveryCellExampleAndEquationIsExact) {
  EXPECT_EQ(disagreements(reproduce("cuda-hierarchy/block-to-sm")), "");
}

TEST(BlockToSm, RoundRobinIsRefuted) {
  const ExperimentReport report = reproduce("cuda-hierarchy/block-to-sm", instead("most_room", "round_robin"));
  for (const char* name :
       {"table II, mw 64 (xavier)", "table II, mw 64 (tx2)", "table III", "table IV, mw 64", "table IV, mw 32",
        "figure 5, right", "1x32 then 1x96", "6 SMs with 16 warps, then 16x64", "equation 2, mw 64",
        "equation 3, mw 64", "equation 4, mw 64", "equation 2, mw 32", "equation 3, mw 32", "equation 4, mw 32"}) {
    EXPECT_FALSE(figure(report, name).agrees()) << name;
  }
  EXPECT_TRUE(figure(report, "figure 5, left").agrees());  // kernels of equal blocks cannot tell the policies apart
}

TEST(Occupancy, IsAsInSectionThreeC) { expect_as_known("cuda-hierarchy/occupancy"); }

TEST(Occupancy, OtherThresholdsAndStepsAreRefuted) {
  const char* const shared = "largest request of shared memory that does not count (bytes)";
  const char* const registers = "most registers a thread that do not count";
  const char* const increments = "increments of 256 bytes";
  const auto agrees = [](const char* setting, const char* name) {
    return figure(reproduce("cuda-hierarchy/occupancy", with({std::string("work_distributor.") + setting})), name)
        .agrees();
  };
  EXPECT_FALSE(agrees("shared_memory_threshold=2816", shared));
  EXPECT_FALSE(agrees("registers_threshold=24", registers));
  EXPECT_FALSE(agrees("shared_memory_granularity=512", increments));
}

TEST(SameSmRule, IsAsInTheWorkedExamples) {
  EXPECT_TRUE(equation2(64, 4, 5));   // 60 >= 60: figure 5, right
  EXPECT_FALSE(equation2(64, 4, 4));  // figure 5, left
  EXPECT_TRUE(equation2(64, 1, 3));
}

TEST(SameSmRule, ATuringSmIsAVoltaSmWithHalfItsWarpsTaken) {  // section III-C1, after definition III.2
  for (unsigned x = 1; x <= 32; ++x) {
    for (unsigned y = 1; y <= 32; ++y) {
      EXPECT_EQ(equation3(64, 32, x, y), equation2(32, x, y)) << x << " " << y;
      EXPECT_EQ(equation3(32, 0, x, y), equation2(32, x, y)) << x << " " << y;
    }
  }
}

TEST(SameSmRule, EquationFourWantsMoreRoomOnTheOneThanOnTheOthers) {
  for (unsigned z = 1; z <= 32; ++z) {
    for (unsigned x = 1; x <= 32; ++x) {
      for (unsigned y = 1; y <= 32; ++y) EXPECT_EQ(equation4(64, z, x, y), (64 - x) / y > (64 - z) / y);
    }
  }
}

TEST(Misprediction, RisesWithTheStreams) { expect_as_known("cuda-hierarchy/misprediction"); }

TEST(Misprediction, OfRoundRobinByItselfIsNil) {
  const ExperimentReport report =
      reproduce("cuda-hierarchy/misprediction", instead("most_room", "round_robin", quick()));
  EXPECT_FALSE(report.agrees());
  EXPECT_EQ(figure(report, "share that differs, by number of streams").ours.text(), "does not rise");
  const Table& table = report.tables.at(0).table;
  EXPECT_NE(table.csv().find("\n8,100,0,0.000,"), std::string::npos) << table.csv();
}

TEST(Misprediction, DependsOnTheSeedAndOnNothingElse) {
  ExperimentOptions one = quick(), two = quick(), other = quick();
  one.parallel = 1;
  two.parallel = 2;
  other.seed = 2;
  const auto table = [](const ExperimentOptions& options) {
    return reproduce("cuda-hierarchy/misprediction", options).tables.at(0).table.csv();
  };
  const std::string csv = table(one);
  EXPECT_EQ(table(two), csv);
  EXPECT_NE(table(other), csv);
}

TEST(Alu, IntegersBesideFloatingPointTakeTheTimeOfFigureSix) { expect_as_known("cuda-hierarchy/alu", quick()); }

TEST(Alu, OneForBothIsRefutedOnXavierAlone) {
  const ExperimentReport report = reproduce("cuda-hierarchy/alu", with({"sm.fp_int_shared=true"}, quick()));
  EXPECT_FALSE(figure(report, "xavier: FP32/INT").agrees());
  EXPECT_TRUE(figure(report, "tx2: FP32/INT").agrees());
}

TEST(Gpc, ABlockSuffersMostFromOneOfItsOwnGpc) { expect_as_known("cuda-hierarchy/gpc", quick()); }

TEST(Gpc, APortForEverySmIsRefuted) {
  const ExperimentReport report = reproduce("cuda-hierarchy/gpc", with({"sms_per_gpc=1"}, quick()));
  EXPECT_FALSE(figure(report, "beside SM 1: peak over that beside SM 3").agrees());
}

TEST(CopyEngine, CopiesOfOtherProcessesSlowAKernelDownAsInFigureSeven) {
  expect_as_known("cuda-hierarchy/copy-engine", quick());
}

TEST(CopyEngineNightly, OneThatMovesFewBytesACycleIsRefuted) {
  const ExperimentReport report =
      reproduce("cuda-hierarchy/copy-engine", with({"copy_engine.bytes_per_cycle=8"}, quick()));
  EXPECT_FALSE(figure(report, "tx2: memcpy, peak").agrees());
}

TEST(Footprint, LargeKernelsSufferMoreFromCopiesAsInFigureEight) {
  EXPECT_EQ(disagreements(reproduce("cuda-hierarchy/footprint", quick())), "");
}

TEST(FootprintNightly, ALaunchThatTakesLongHidesIt) {
  const ExperimentReport report = reproduce("cuda-hierarchy/footprint", instead("20", "100000", quick()));
  EXPECT_FALSE(figure(report, "tx2: memset, slowdown").agrees());
}

TEST(MostRoomDemonstration, PlacementsAreExactAndTimesGoTheWayOfThePaper) {
  expect_as_known("most-room/demonstration", quick());
}

TEST(MostRoomDemonstrationNightly, WarpsThatTakeTurnsAreRefutedByThePreferenceForTheFirstKernel) {
  const ExperimentReport report = reproduce("most-room/demonstration", with({"sm.warp_scheduler=lrr"}, quick()));
  EXPECT_FALSE(figure(report, "compute-intensive: A colocated").agrees());
  EXPECT_FALSE(figure(report, "compute-intensive: B colocated, launched first").agrees());
}

TEST(MostRoomTuring, FactorsAreWithinAQuarterOfTableOne) { expect_as_known("most-room/turing", quick()); }

TEST(MostRoomTuringNightly, RoundRobinAndAHostThatIsFastWithBatchesAreRefuted) {
  const ExperimentReport report =
      reproduce("most-room/turing", with({"work_distributor.placement=round_robin", "mmu.batch_ns=1000"}, quick()));
  EXPECT_FALSE(figure(report, "L1-cache-dependent: SMs of B, isolated").agrees());
  EXPECT_FALSE(figure(report, "L1-cache-dependent: B isolated").agrees());
  EXPECT_FALSE(figure(report, "memory-intensive: B isolated").agrees());
  EXPECT_FALSE(figure(report, "transfer-bandwidth-dependent: B isolated").agrees());  // wherever its blocks are
}

TEST(MostRoomOtherGpusNightly, SufferAsTheAppendixSays) {
  expect_as_known("most-room/pascal", quick());
  expect_as_known("most-room/volta", quick());
}

TEST(ExperimentRuns, GiveEveryLaunchItsBlocksInOrder) {
  Workload workload = workload_of_streams(2);
  launch(workload, 0, spin_kernel(3, 64, kMicrosecond));
  launch(workload, 1, spin_kernel(2, 32, kMicrosecond), 0, 1);
  RunSet<int> runs;
  runs.add(0, {experiment_gpu("xavier"), workload});
  runs.run({});
  const auto outcomes = launch_outcomes(runs.result(0));
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(list_text(outcomes[0].sms()), "[0, 2, 4]");
  EXPECT_EQ(list_text(outcomes[1].sms()), "[0, 2]");
  EXPECT_GE(outcomes[1].arrived, outcomes[0].end);  // the second phase starts when the first has ended
}

TEST(Runlist, RoundsAndWaitsAreThoseOfTheClosedForm) {
  EXPECT_EQ(disagreements(reproduce("cuda-hierarchy/runlist", quick())), "");
}

TEST(Runlist, OtherSlotsAreRefuted) {
  const ExperimentReport report =
      reproduce("cuda-hierarchy/runlist", with({"work_distributor.time_sliced.slots_high=2"}, quick()));
  EXPECT_FALSE(figure(report, "block, 20 us: slots of a round").agrees());
}

TEST(Streams, BlocksRunInTheOrderOfTheRules) {
  EXPECT_EQ(disagreements(reproduce("cuda-hierarchy/streams", quick())), "");
}

TEST(Streams, AnOrderThatDoesNotHeedPrioritiesIsRefuted) {
  const ExperimentReport report = reproduce("cuda-hierarchy/streams", instead("leftover", "mpmax", quick()));
  EXPECT_FALSE(figure(report, "generations of blocks").agrees());
  EXPECT_FALSE(figure(report, "full SMs: generations of blocks, higher priority").agrees());
}

}  // namespace
}  // namespace gputlm
