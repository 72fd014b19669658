// The runs of a sweep's file.

#include "platform/lab/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "platform/input/application_alone.h"
#include "platform/lab/study_baseline.h"
#include "platform/lab/study_results.h"

namespace gputlm {
namespace {

namespace fs = std::filesystem;
constexpr Bytes kMemory = Bytes{1} << 40;

class StudyTest : public testing::Test {
 protected:
  StudyTest() {
    std::string name = (fs::temp_directory_path() / "gputlm_study_XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ofstream(folder_ + "/w.yaml") << R"(
kernels: {k: {grid: 4, block: 64, program: [int]}}
applications:
  - {name: a, sms: 0-1, relaunch: true, streams: [{name: s, launches: [k]}]}
  - {name: b, streams: [{name: t, launches: [k, k]}, {name: u, priority: -1, launches: [k]}]}
)";
    std::ofstream(folder_ + "/phases.yaml") << R"(
kernels: {k: {grid: 4, block: 64, program: [int]}}
applications:
  - {name: a, streams: [{name: s, launches: [k, {kernel: k, phase: 1}]}]}
  - {name: b, streams: [{name: t, launches: [{kernel: k, phase: 1}, {kernel: k, phase: 3}]}]}
)";
  }
  ~StudyTest() override { fs::remove_all(folder_); }
  Study read(const std::string& yaml, bool quick = false) const {
    return Study::read(YamlNode::load_text(yaml, "s.yaml"), folder_, quick);
  }

  std::string folder_;
};

TEST_F(StudyTest, MeansEveryCombinationWithTheGpuSlowest) {
  const Study study = read(
      "gpus: [xavier, tx2]\nset: {work_distributor.dispatch_width: 4}\n"
      "vary:\n  sm.warp_scheduler: [lrr, gto]\n  dram.queue: [16, 32, 64]\nworkloads: [w.yaml]\nseeds: [5, 6]\n");
  const std::vector<StudyPoint> points = study.points();
  ASSERT_EQ(points.size(), 2 * 2 * 3 * 2u);
  EXPECT_EQ(points[0].seed, 0u);
  EXPECT_EQ(points[1].seed, 1u);
  EXPECT_THAT(points[2].settings, testing::ElementsAre(0, 1));
  EXPECT_THAT(points[6].settings, testing::ElementsAre(1, 0));
  EXPECT_EQ(points[12].gpu, 1u);
  const GpuConfig config = study.config(points.back());
  EXPECT_EQ(config.name, "tx2");
  EXPECT_EQ(config.sm.warp_scheduler, "gto");
  EXPECT_EQ(config.dram.queue, 64u);
  EXPECT_EQ(config.work_distributor.dispatch_width, 4u);
  for (std::size_t i = 1; i < points.size(); ++i) EXPECT_TRUE(points[i - 1] < points[i]);
}

TEST_F(StudyTest, NeedsNothingButAWorkload) {
  const Study study = read("workloads: [w.yaml]\n");
  ASSERT_EQ(study.points().size(), 1u);
  EXPECT_EQ(study.config(study.points()[0]).name, "rtx2060");
  EXPECT_FALSE(study.alone());
}

TEST_F(StudyTest, CallsFilesOfAbsolutePathsByWhatTellsThemApart) {
  const Study study = read("workloads: [" + folder_ + "/w.yaml, phases.yaml]\n");
  EXPECT_THAT(study.workloads(), testing::ElementsAre("w.yaml", "phases.yaml"));
  EXPECT_EQ(parse_baseline(study, {"workload=" + folder_ + "/w.yaml"}, "--baseline"),
            (Baseline{{"workload", "w.yaml"}}));
}

TEST_F(StudyTest, HasInItsQuickFormWhatThatSaysIsOther) {
  const std::string yaml =
      "gpu: xavier\nset: {dram.queue: 16, sm.l1.ways: 4}\nvary: {sm.warp_scheduler: [lrr, gto], "
      "work_distributor.dispatch_width: [1, 2]}\n"
      "workloads: [w.yaml, phases.yaml]\n"
      "quick:\n  set: {dram.queue: 32}\n  vary: {sm.warp_scheduler: [lrr], work_distributor.dispatch_width: ~}\n  "
      "workloads: [w.yaml]\n";
  const Study whole = read(yaml), quick = read(yaml, true);
  EXPECT_EQ(whole.points().size(), 2 * 2 * 2u);
  EXPECT_EQ(whole.base(0).dram.queue, 16u);
  ASSERT_EQ(quick.points().size(), 1u);
  EXPECT_EQ(quick.config(quick.points()[0]).name, "xavier");
  EXPECT_EQ(quick.base(0).dram.queue, 32u);
  EXPECT_EQ(quick.base(0).sm.l1.ways, 4u);
  EXPECT_THAT([&] { read("workloads: [w.yaml]\n", true); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("s.yaml:1: found no 'quick'")));
}

TEST_F(StudyTest, ChecksItsQuickFormWhateverFormItHas) {
  const auto wrong = [&](const std::string& quick, const std::string& message) {
    EXPECT_THAT([&] { read("workloads: [w.yaml]\nquick:\n  " + quick + "\n"); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("s.yaml:3: " + message)));
  };
  wrong("workload: [w.yaml]", "quick: unknown key 'workload'; did you mean 'workloads'?");
  wrong("vary: {sm.warp_scheduler: [gtoo]}", "sm.warp_scheduler: found 'gtoo'");
  wrong("set: {sm.warpz: 3}", "");
  wrong("quick: {}", "quick: unknown key 'quick'");
}

TEST_F(StudyTest, HasWorkloadsAsTexts) {
  const Study study = read(
      "workloads: [small, w.yaml]\ntexts:\n  small: |\n    kernels: {k: {grid: 7, block: 64, program: [int]}}\n"
      "    applications: [{name: a, streams: [{name: s, launches: [k]}]}]\n");
  EXPECT_THAT(study.workloads(), testing::ElementsAre("small", "w.yaml"));
  EXPECT_EQ(study.workload(study.points()[0]).launches[0].kernel->grid.count(), 7u);
  EXPECT_THAT(
      [&] { read("workloads: [w.yaml]\ntexts: {smal: x}\n"); },
      testing::ThrowsMessage<InputError>(testing::HasSubstr("s.yaml:2: texts.smal: 'workloads' does not name")));
}

const char* const kPlan =
    "gpu: xavier\nset: {sm.l1.ways: 4}\nvary: {dram.queue: [16, 64], sm.warp_scheduler: [lrr, qaws]}\n"
    "factors: {mixes: [75], kernels: [a, b]}\nworkloads: [[a, b], [c]]\n"
    "quick: {vary: {dram.queue: [16]}, factors: {mixes: [12]}, workloads: [[a, b]]}\n";

Study plan_of(const std::string& yaml, bool quick = false,
              const std::vector<std::string>& factors = {"kernels", "mixes"}) {
  return Study::read_plan(YamlNode::load_text(yaml, "plan.yaml"), factors, quick);
}

TEST(Plan, VariesParametersAndFactors) {
  using Numbers = std::vector<unsigned>;
  using Texts = std::vector<std::string>;
  const Study whole = plan_of(kPlan), quick = plan_of(kPlan, true);
  EXPECT_EQ(whole.gpu(), "xavier");
  EXPECT_EQ(whole.programs(), (Study::Programs{{"a", "b"}, {"c"}}));
  EXPECT_EQ(quick.programs(), (Study::Programs{{"a", "b"}}));
  EXPECT_EQ(whole.numbers("dram.queue"), (Numbers{16, 64}));
  EXPECT_EQ(quick.numbers("dram.queue"), (Numbers{16}));
  EXPECT_EQ(quick.number("mixes"), 12u);
  EXPECT_EQ(quick.values("kernels"), (Texts{"a", "b"}));
  EXPECT_THROW(whole.values("dram.banks"), std::logic_error);
  EXPECT_THROW(whole.numbers("kernels"), std::logic_error);
}

TEST(Plan, ConfiguresItsGpuWithWhatIsSetOfEveryRun) {
  const GpuConfig config = plan_of(kPlan).config_with({{"dram.queue", "32"}});
  EXPECT_EQ(config.name, "xavier");
  EXPECT_EQ(config.sm.l1.ways, 4u);
  EXPECT_EQ(config.dram.queue, 32u);
}

TEST(Plan, HasOtherValuesInThePlaceOfSome) {
  Study plan = plan_of(kPlan);
  plan.replace({{"qaws", "gto"}, {"b", "c"}});
  EXPECT_THAT(plan.values("sm.warp_scheduler"), testing::ElementsAre("lrr", "gto"));
  EXPECT_THAT(plan.values("kernels"), testing::ElementsAre("a", "c"));
}

TEST(Plan, NamesWhatIsNeitherAParameterNorAFactorOfItsExperiment) {
  const auto wrong = [](const std::string& yaml, const std::vector<std::string>& factors, const std::string& message) {
    EXPECT_THAT([&] { plan_of(yaml, false, factors); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)));
  };
  wrong("vary:\n  dram.queu: [1]\n", {}, "plan.yaml:2: no parameter 'dram.queu'");
  wrong("factors:\n  mixs: [1]\n", {"mixes"}, "plan.yaml:2: factors: unknown key 'mixs'; did you mean 'mixes'?");
  wrong("factors: {mixes: [1]}\n", {"mixes", "kernels"}, "plan.yaml:1: factors: key 'kernels' is missing");
  wrong("gpu: xavier\n", {"mixes"}, "key 'factors' is missing");
  wrong("gpu: xavier\ngpus: [tx2]\n", {}, "a study has 'gpu' or 'gpus', not both");
}

TEST_F(StudyTest, RefusesFactorsWhichOnlyAPlanHas) {
  EXPECT_THAT([&] { read("workloads: [w.yaml]\nfactors: {mixes: [1]}\n"); },
              testing::ThrowsMessage<InputError>(testing::HasSubstr("only the plan of an experiment has factors")));
}

TEST_F(StudyTest, SharesKernelsAmongThePointsOfAWorkloadAndSeed) {
  const Study study = read("vary: {sm.warp_scheduler: [lrr, gto]}\nworkloads: [w.yaml]\nseeds: [1, 2]\n");
  const auto points = study.points();
  const auto kernel = [&](std::size_t i) { return study.workload(points[i]).launches[0].kernel; };
  EXPECT_EQ(kernel(0), kernel(2));
  EXPECT_NE(kernel(0), kernel(1));
}

TEST_F(StudyTest, RunsEachApplicationOfSeveralAlone) {
  EXPECT_EQ(StudyRuns(read("workloads: [w.yaml]\nseeds: [1, 2]\n"), kMemory).size(), 2u);
  EXPECT_EQ(StudyRuns(read("workloads: [w.yaml]\nseeds: [1, 2]\nalone: true\n"), kMemory).size(), 6u);
}

TEST_F(StudyTest, AnApplicationAloneHasItsOwnStreamsAndTheWholeGpu) {
  const Study study = read("workloads: [w.yaml]\n");
  const Workload& workload = study.workload(study.points()[0]);
  const Workload a = application_alone(workload, 0), b = application_alone(workload, 1);
  EXPECT_FALSE(a.applications[0].sms);
  EXPECT_FALSE(a.applications[0].relaunch);
  EXPECT_EQ(a.launches.size(), 1u);
  ASSERT_EQ(b.streams.size(), 2u);
  EXPECT_EQ(b.streams[1].name, "u");
  EXPECT_EQ(b.streams[1].priority, -1);
  EXPECT_EQ(b.streams[1].application, 0u);
  ASSERT_EQ(b.launches.size(), 3u);
  for (const LaunchCommand& launch : b.launches) EXPECT_LT(launch.stream, 2u);
}

TEST_F(StudyTest, AnApplicationAloneHasNoEmptyPhase) {
  const Study study = read("workloads: [phases.yaml]\n");
  const Workload b = application_alone(study.workload(study.points()[0]), 1);
  ASSERT_EQ(b.launches.size(), 2u);
  EXPECT_EQ(b.launches[0].phase, 0u);
  EXPECT_EQ(b.launches[1].phase, 1u);
}

}  // namespace
}  // namespace gputlm
