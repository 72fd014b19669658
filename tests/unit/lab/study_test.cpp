// A sweep's file: which runs it means.

#include "platform/lab/study.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

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
  Study read(const std::string& yaml) const { return Study::read(YamlNode::load_text(yaml, "s.yaml"), folder_); }

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
