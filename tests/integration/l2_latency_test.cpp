/// The latency that the presets say their l2.latency was fitted to, measured on the whole platform.
#include <gtest/gtest.h>

#include <string>

#include "models/kernel/program_kernel.h"
#include "platform/input/preset.h"
#include "platform/lab/isolated.h"
#include "platform/run/simulation.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kLoads = 256;

struct Case {
  const char* gpu;
  double least, most;  ///< core cycles of an L2 hit, as the preset's source has them
};

class L2Hit : public testing::TestWithParam<Case> {};

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
                         testing::Values(Case{"rtx2060", 224, 228}, Case{"volta80", 190, 196},
                                         Case{"pascal5", 213, 219}),
                         [](const auto& param_info) { return std::string(param_info.param.gpu); });

}  // namespace
}  // namespace gputlm
