/// The experiments on today's GPUs, and that they can fail.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "experiment_report.h"
#include "platform/experiments/silicon/measured.h"

namespace gputlm {
namespace {

/// As known, and each figure is beside its measurement.
void expect_measured(const std::string& experiment) {
  const ExperimentReport report = reproduce(experiment, quick());
  expect_as_known(experiment, report, quick());
  std::map<std::string, std::string> values;
  for (const Measurement& m : measurements().at(experiment).all()) values[m.figure] = m.value.text();
  for (const Figure& f : report.figures) EXPECT_EQ(values.at(f.name), f.paper.text()) << f.name;
}

TEST(Silicon, MicrobenchmarksOfTheModelAgreeWithThoseOfTheGpus) { expect_measured("silicon/microbenchmarks"); }

TEST(Silicon, ASlowerL2IsSeenInItsHitsAndInWhatMissesIt) {
  const ExperimentReport report = reproduce("silicon/microbenchmarks", with({"l2.latency=200"}, quick()));
  EXPECT_FALSE(figure(report, "rtx3070: L2 hit").agrees());
  EXPECT_FALSE(figure(report, "rtx3070: DRAM").agrees());
  EXPECT_TRUE(figure(report, "orin: L1 hit").agrees());
}

TEST(Silicon, TheTimeOfAGridRisesWhereResidencyDropsAndNowhereElse) { expect_as_known("silicon/occupancy", quick()); }

TEST(Silicon, AnSmThatHoldsFewerBlocksThanTheRuleSaysIsSeen) {
  const ExperimentReport report = reproduce("silicon/occupancy", with({"sm.registers=16384"}, quick()));
  EXPECT_FALSE(figure(report, "orin: threads a block").agrees());
}

TEST(Silicon, ClustersAreOnTheSmsOnWhichAnH100HasThem) { expect_as_known("silicon/clusters", quick()); }

TEST(Silicon, GpcsChosenByTheirRoomAreRefutedByWhereAnH100HasClusters) {
  const ExperimentReport report = reproduce("silicon/clusters", instead("most_idle", "most_room", quick()));
  EXPECT_FALSE(figure(report, "SMs that 17 clusters of 8 small blocks are on").agrees());
  const ExperimentReport even = reproduce("silicon/clusters", with({"gpc_sms=even"}, quick()));
  EXPECT_FALSE(figure(even, "clusters of 8 at once, a block on an SM").agrees()) << "seven GPCs of 18 and one of 6";
}

TEST(Silicon, BlocksOfAClusterReachEachOtherAsOnAnH800) { expect_as_known("silicon/cluster_network", quick()); }

TEST(SiliconNightly, ANetworkAsSlowAsTheL2IsRefuted) {
  const ExperimentReport report = reproduce(
      "silicon/cluster_network", with({"cluster_network.hop_latency=60", "cluster_network.bytes=8"}, quick()));
  EXPECT_FALSE(figure(report, "load of another SM's shared memory, cycles").agrees());
  EXPECT_FALSE(figure(report, "ring of 2: bytes a cycle and SM").agrees());
}

TEST(ClusterPlacement, ClustersFindRoomBesideSingleBlocks) { expect_as_known("clusters/placement", quick()); }

TEST(ClusterPlacement, NothingKeptForThemIsRefuted) {
  const ExperimentReport report = reproduce("clusters/placement", instead("true", "false", quick()));
  EXPECT_FALSE(figure(report, "runs in which clusters for which a GPC is kept").agrees());
}

/// Some of the places that two kernels share.
TEST(Silicon, TwoKernelsCostEachOtherWhatTheyDoOnAV100) {
  for (const char* row : {"block_scheduler, 160 blocks", "fp64_pipe, ILP 1", "l2, 1 MiB"})
    expect_no_new_miss("silicon/corun", reproduce("silicon/corun", instead("volta80", row, quick())), quick());
}

TEST(SiliconNightly, TwoKernelsCostEachOtherWhatTheyDoOnAV100) { expect_as_known("silicon/corun", quick()); }

TEST(SiliconNightly, AnL1InWhichStoresLeaveNothingIsRefutedByTwoKernelsThatShareIt) {
  const char* const row = "l1, 48 KiB: together over sequential";
  const auto ratio = [&](const ExperimentOptions& options) {
    return figure(reproduce("silicon/corun", instead("volta80", "l1, 48 KiB", options)), row).ours.number().value();
  };
  EXPECT_GT(ratio(quick()), 1);
  EXPECT_LT(ratio(with({"sm.l1.stores=through"}, quick())), 1);
}

TEST(Silicon, FewSmsHaveTheBandwidthThatTheyDoOnRealGpus) { expect_as_known("silicon/scaling", quick()); }

TEST(SiliconNightly, ACrossbarWithTheClockOfTheSmsIsRefutedByAnA6000) {
  const ExperimentReport report = reproduce("silicon/scaling", with({"noc.mhz=0"}, quick()));
  EXPECT_FALSE(figure(report, "rtx_a6000: 4 SMs read (GB/s)").agrees());
}

TEST(SiliconNightly, CachesGiveWhatTheyDoOnRealGpusByHowMuchIsRead) { expect_as_known("silicon/caches", quick()); }

TEST(Silicon, LoadsThatHitTheL1TakeWhatTheyDoByStride) { expect_as_known("silicon/strides", quick()); }

TEST(Silicon, AnL1ThatLooksUpALineACycleOrHasNoBanksIsRefutedByStrides) {
  const ExperimentReport a_line = reproduce("silicon/strides", with({"sm.l1.tag_lines=1"}, quick()));
  EXPECT_FALSE(figure(a_line, "float, a100: stride 15").agrees());
  EXPECT_TRUE(figure(a_line, "float, a100: stride 32").agrees());
  const ExperimentReport no_banks = reproduce("silicon/strides", with({"sm.l1.banked=false"}, quick()));
  EXPECT_TRUE(figure(no_banks, "float, a100: stride 15").agrees());
  EXPECT_FALSE(figure(no_banks, "float, a100: stride 32").agrees());
}

TEST(Silicon, AKernelThatWantsAnotherDivisionBeginsOnTpcsWithoutTheOther) {
  expect_as_known("silicon/placement", quick());
}

TEST(SiliconNightly, KernelsThatJoinWhereverThereIsRoomAreRefutedByAnOrin) {
  const ExperimentReport report = reproduce("silicon/placement", with({"work_distributor.division=room"}, quick()));
  EXPECT_FALSE(figure(report, "orin: GEMM together on 16 SMs").agrees());
  EXPECT_TRUE(figure(report, "orin: GEMM alone on 6 SMs").agrees());
}

TEST(Silicon, ChainsOfLaunchesTakeWhatTheyDoOnAnA100AndAnH200) { expect_as_known("silicon/launches", quick()); }

TEST(SiliconNightly, AWayFromTheHostInCyclesOfTheCoreIsRefutedByAnH200) {
  const ExperimentReport report = reproduce("silicon/launches", with({"work_distributor.host_ns=0"}, quick()));
  EXPECT_FALSE(figure(report, "h200: 4096 doubles, blocks of 256").agrees());
}

TEST(Silicon, APairOfKernelsGainsLittleByASecondStream) { expect_as_known("silicon/pairs", quick()); }

TEST(Silicon, AnInstanceOfHalfTheMemoryDecodesAsSlowlyAsOnAnH100) { expect_as_known("silicon/tenants", quick()); }

TEST(Silicon, CopiesTakeWhatTheyDoOnAnA100) { expect_measured("silicon/copies"); }

TEST(Silicon, ALinkOfHalfTheLanesIsSeenInWhatIsCopiedToTheDevice) {
  const ExperimentReport report = reproduce("silicon/copies", with({"host_link.lanes=8"}, quick()));
  EXPECT_FALSE(figure(report, "a100: pinned memory to device").agrees());
}

TEST(Silicon, EveryMeasurementHasItsPlaceAndEveryMissIsOfOne) {
  std::size_t all = 0;
  for (const Measurements& of : measurements()) {
    EXPECT_EQ(find_experiments(of.name).size(), 1u) << of.name;
    std::set<std::string> figures;
    for (const Measurement& m : of.all()) {
      EXPECT_TRUE(figures.insert(m.figure).second) << m.figure;
      EXPECT_NE(m.place, "") << m.figure;
    }
    all += figures.size();
    for (const KnownMiss& miss : known_misses().of(of.name)) {
      for (const bool is_quick : {false, true}) {
        for (const auto& [figure, ours] : miss.in_form(is_quick)) EXPECT_EQ(figures.count(figure), 1u) << figure;
      }
    }
  }
  EXPECT_GT(all, 100u);
}

}  // namespace
}  // namespace gputlm
