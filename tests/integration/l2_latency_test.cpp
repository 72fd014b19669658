/// The latency that the presets say their l2.latency was fitted to, measured on the whole platform.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"
#include "platform/lab/jobs.h"
#include "platform/run/simulation.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kLoads = 256;

struct LatencyCase {
  const char* gpu;
  double least, most;  ///< core cycles of an L2 hit, as the preset's source has them
};

class L2Hit : public testing::TestWithParam<LatencyCase> {};

/// One warp loads line after line, each load needing the one before. A second launch finds the lines in the L2, and
/// not in the L1, which its first block has emptied.
TEST_P(L2Hit, TakesAsLongAsThePresetsSourceSays) {
  const auto run = [] {
    ProgramSpec spec;
    spec.name = "chase";
    spec.grid = {1};
    spec.block = {32};
    AffinePattern lines;
    lines.lane_stride = 4;
    lines.iteration_stride = kLineBytes;
    spec.patterns = {{"lines", 0x1000000, lines}};
    spec.body = {loop(kLoads, {load("lines", 4, 4, {4})})};
    Workload workload;
    workload.applications = {{"a"}};
    workload.streams = {{"s", 0, 0}};
    for (const char* label : {"cold", "warm"}) {
      LaunchCommand launch;
      launch.label = label;
      launch.kernel = std::make_shared<ProgramKernel>(spec, 1);
      workload.launches.push_back(launch);
    }
    const KernelRecord warm = simulate(load_gpu(GetParam().gpu), workload, {}).kernels.at(1);
    if (warm.counters.l2_read_hits != kLoads) throw std::runtime_error("not all loads hit the L2");
    return std::to_string(warm.end - warm.first_block);
  };
  const double cycles = std::stod(run_isolated({run}).at(0)) / kLoads;
  EXPECT_GE(cycles, GetParam().least);
  EXPECT_LE(cycles, GetParam().most);
}

INSTANTIATE_TEST_SUITE_P(Presets, L2Hit,
                         testing::Values(LatencyCase{"rtx2060", 224, 228}, LatencyCase{"volta80", 190, 196},
                                         LatencyCase{"pascal5", 213, 219}),
                         [](const auto& param_info) { return std::string(param_info.param.gpu); });

/// Cycles of a load of what SM 0 has brought in, by SM 0 and by the last one.
struct NearAndFar {
  double near, far;
};

NearAndFar near_and_far(const std::string& gpu) {
  const auto run = [gpu] {
    ProgramSpec spec;
    spec.name = "chase";
    spec.grid = {1};
    spec.block = {32};
    AffinePattern lines;
    lines.lane_stride = 4;
    lines.iteration_stride = kLineBytes;
    spec.patterns = {{"lines", 0x1000000, lines}};
    spec.body = {loop(kLoads, {load("lines", 4, 4, {4})})};
    const GpuConfig config = load_gpu(gpu);
    Workload workload;
    workload.applications = {{"a"}};
    workload.streams = {{"s", 0, 0}};
    for (const unsigned sm : {0u, 0u, config.sms - 1}) {
      LaunchCommand launch;
      launch.label = "launch " + std::to_string(workload.launches.size());
      launch.kernel = std::make_shared<ProgramKernel>(spec, 1);
      launch.sms.emplace().set(sm);
      workload.launches.push_back(launch);
    }
    const auto kernels = simulate(config, workload, {}).kernels;
    std::string cycles;
    for (const std::size_t kernel : {1, 2}) {
      if (kernels.at(kernel).counters.l2_read_hits != kLoads) throw std::runtime_error("not all loads hit the L2");
      cycles += std::to_string(kernels.at(kernel).end - kernels.at(kernel).first_block) + " ";
    }
    return cycles;
  };
  std::istringstream cycles(run_isolated({run}).at(0));
  NearAndFar result{};
  cycles >> result.near >> result.far;
  return {result.near / kLoads, result.far / kLoads};
}

TEST(L2Partitions, AHitInTheFarOneTakesTheWayThereAndBackLonger) {
  const NearAndFar a100 = near_and_far("a100");
  EXPECT_NEAR(a100.near, 211, 2);
  EXPECT_EQ(a100.far - a100.near, 2 * load_gpu("a100").noc.partition_latency);
  const NearAndFar h100 = near_and_far("h100_pcie");
  EXPECT_NEAR(h100.near, 265, 2);
  EXPECT_EQ(h100.far - h100.near, 2 * load_gpu("h100_pcie").noc.partition_latency);
}

TEST(L2Partitions, WithOneAllHitsTakeAsLong) {
  const NearAndFar hits = near_and_far("volta80");
  EXPECT_EQ(hits.near, hits.far);
}

}  // namespace
}  // namespace gputlm
