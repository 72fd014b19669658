/// Plausibility beside the field's trace-driven simulator: cycles of the same kernels on the same GPU.
#include <fmt/format.h>

#include <gtest/gtest.h>

#include <algorithm>

#include "models/kernel/sass_kernel.h"
#include "platform/input/preset.h"
#include "platform/input/workload_file.h"
#include "platform/lab/jobs.h"
#include "platform/run/simulation.h"
#include "tests/integration/program.h"

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

/// vectorAdd of the CUDA samples, 50000 elements: as nvcc translates it for compute capability 7.5 and 8.0.
std::string vector_add() {
  constexpr unsigned kElements = 50000, kThreads = 256, kBlocks = 196;
  constexpr Address kA = 0x7fb0fc400000, kB = 0x7fb0fc430e00, kC = 0x7fb0fc461c00;
  std::string text = fmt::format(
      "-kernel name = vectorAdd\n-grid dim = ({},1,1)\n-block dim = ({},1,1)\n-shmem = 0\n-nregs = 12\n"
      "-binary version = 75\n-accelsim tracer version = 5\n#\n",
      kBlocks, kThreads);
  for (unsigned block = 0; block < kBlocks; ++block) {
    text += fmt::format("#BEGIN_TB\nthread block = {},0,0\n", block);
    for (unsigned warp = 0; warp < kThreads / 32; ++warp) {
      const unsigned first = block * kThreads + warp * 32;
      const unsigned active = first >= kElements ? 0 : std::min(32u, kElements - first);
      const std::uint32_t lanes = active == 32 ? ~0u : (1u << active) - 1;
      const Address at = Address{first} * 4;
      text += fmt::format(
          "warp = {}\ninsts = {}\n0000 ffffffff 1 R1 MOV 0 0 0\n0010 ffffffff 1 R6 S2R 0 0 0\n"
          "0020 ffffffff 1 R3 S2R 0 0 0\n0030 ffffffff 1 R6 IMAD 2 R6 R3 0 0\n"
          "0040 ffffffff 0 ISETP.GE.AND 1 R6 0 0\n0050 {:08x} 0 EXIT 0 0 0\n",
          warp, active ? 17 : 6, ~lanes);
      if (active == 0) continue;
      text += fmt::format(
          "0060 {0:08x} 1 R7 MOV 0 0 0\n0070 {0:08x} 0 ULDC.64 0 0 0\n0080 {0:08x} 1 R4 IMAD.WIDE 2 R6 R7 0 0\n"
          "0090 {0:08x} 1 R2 IMAD.WIDE 2 R6 R7 0 0\n00a0 {0:08x} 1 R4 LDG.E 1 R4 4 1 {1:#x} 4 0\n"
          "00b0 {0:08x} 1 R3 LDG.E 1 R2 4 1 {2:#x} 4 0\n00c0 {0:08x} 1 R6 IMAD.WIDE 2 R6 R7 0 0\n"
          "00d0 {0:08x} 1 R0 FADD 2 R4 R3 0 0\n00e0 {0:08x} 1 R9 FADD 1 R0 0 0\n"
          "00f0 {0:08x} 0 STG.E 2 R6 R9 4 1 {3:#x} 4 0\n0100 {0:08x} 0 EXIT 0 0 0\n",
          lanes, kB + at, kA + at, kC + at);
    }
    text += "#END_TB\n";
  }
  return text;
}

TEST(BesideAccelSimShort, VectorAddLiesWithinAQuarter) {
  const TestFolder folder;
  const std::string trace = folder.write("kernel-1.traceg", vector_add());
  const auto run = [&] {
    Workload workload;
    workload.applications = {{"a"}};
    workload.streams = {{"s", 0, 0}};
    LaunchCommand launch;
    launch.label = "vectorAdd";
    launch.kernel = std::make_shared<SassKernel>(trace);
    workload.launches.push_back(launch);
    const KernelRecord kernel = simulate(load_gpu("rtx2060"), workload, {}).kernels.at(0);
    return std::to_string(kernel.end - kernel.first_block);
  };
  constexpr double kAccelSim = 2956;  // less its launch latency
  EXPECT_NEAR(std::stod(run_isolated({run}).at(0)) / kAccelSim, 1, 0.25);
}

}  // namespace
}  // namespace gputlm
