/// Plausibility beside the field's trace-driven simulator: cycles of the same kernels on the same GPU.
#include <gtest/gtest.h>

#include "platform/input/preset.h"
#include "platform/input/workload_file.h"
#include "platform/lab/isolated.h"
#include "platform/run/simulation.h"

namespace gputlm {
namespace {

struct Case {
  const char* workload;
  unsigned grid;
  Cycle cycles;  ///< of Accel-Sim (SM75_RTX2060) on traces of the same instructions, less its launch latency of 5000
};

class BesideAccelSim : public testing::TestWithParam<Case> {};

TEST_P(BesideAccelSim, CyclesLieWithinAQuarter) {
  const Case& c = GetParam();
  const std::string path = std::string(GPUTLM_SOURCE_DIR) + "/workloads/" + c.workload + ".yaml";
  const auto run = [&] {
    const GpuConfig config = load_gpu("rtx2060");
    Workload workload = load_workload(path, 1);
    workload.launches.at(0).kernel->grid = {c.grid, 1, 1};
    const KernelRecord kernel = simulate(config, workload, {}).kernels.at(0);
    return std::to_string(kernel.end - kernel.first_block);
  };
  const double ours = std::stod(run_isolated({run}).at(0));
  EXPECT_NEAR(ours / static_cast<double>(c.cycles), 1, 0.25);
}

INSTANTIATE_TEST_SUITE_P(Kernels, BesideAccelSim,
                         testing::Values(Case{"compute", 480, 15161}, Case{"compute", 120, 3810},
                                         Case{"stream", 480, 64017}, Case{"gups", 120, 366012}),
                         [](const auto& param_info) {
                           return std::string(param_info.param.workload) + std::to_string(param_info.param.grid);
                         });

}  // namespace
}  // namespace gputlm
