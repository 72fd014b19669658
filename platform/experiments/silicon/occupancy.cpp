/// The occupancy staircase: the time of a grid of short blocks against the threads a block, in steps of a warp. As many
/// blocks run at once as the SMs hold, so that the time rises where one fewer fits, and nowhere else. How many fit says
/// the occupancy rule of the CUDA C++ Programming Guide; when the time rises, the model.
#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/experiments/experiments.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

constexpr unsigned kWarp = kWarpSize;
constexpr std::uint32_t kRegisters = 16;  // a thread: they never limit
constexpr double kRises = 1.01;           // what counts as a rise

/// Blocks that an SM holds.
unsigned residency(const SmConfig& sm, unsigned threads) {
  const unsigned warps = (threads + kWarp - 1) / kWarp;
  return std::min({sm.blocks, sm.warps / warps, sm.threads / (warps * kWarp)});
}

/// Blocks take 10 us, give or take up to 52 %, so that they do not end in waves.
Run occupancy_run(const GpuConfig& gpu, unsigned threads, unsigned blocks) {
  ProgramSpec spec;
  spec.name = "short";
  spec.grid = {blocks};
  spec.block = {threads};
  spec.registers_per_thread = kRegisters;
  spec.variation.spread = 0.3;
  spec.body = {spin(10 * kMicrosecond)};
  Run run{gpu, workload_of_streams(1)};
  run.keep_blocks = false;
  launch(run.workload, 0, std::make_shared<ProgramKernel>(spec, 0));
  return run;
}

}  // namespace

ExperimentReport silicon_occupancy(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Matrix all = matrix("silicon/occupancy", options.quick);
  const std::vector<std::string> gpus = all.values("gpu");
  const unsigned blocks = all.numbers("blocks").at(0);
  std::vector<unsigned> sizes;
  for (unsigned threads = kWarp; threads <= kMaxThreadsPerBlock; threads += kWarp) sizes.push_back(threads);
  Sweep<std::pair<std::string, unsigned>> sweep;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu, settings);
    for (const unsigned threads : sizes) sweep.add({gpu, threads}, occupancy_run(config, threads, blocks));
  }
  sweep.run(options.jobs());

  ExperimentReport report;
  report.text =
      fmt::format("Time of {} blocks of 10 us, in us, and the blocks that an SM holds\n{:>8}", blocks, "threads");
  LineChart chart;
  chart.panels.push_back({"threads a block", fmt::format("time of {} blocks (us)", blocks)});
  for (const std::string& gpu : gpus) {
    report.text += fmt::format(" {:>13}", gpu);
    chart.panels[0].lines.push_back({gpu, {}});
  }
  report.text += '\n';
  std::vector<std::vector<unsigned>> drops(gpus.size()), rises(gpus.size());
  std::vector<double> before(gpus.size());
  for (const unsigned threads : sizes) {
    report.text += fmt::format("{:>8}", threads);
    for (std::size_t g = 0; g < gpus.size(); ++g) {
      const GpuConfig& gpu = sweep.request({gpus[g], threads}).config;
      const double us =
          static_cast<double>(launch_outcomes(sweep.result({gpus[g], threads})).at(0).time()) / gpu.core_mhz;
      const unsigned held = residency(gpu.sm, threads);
      report.text += fmt::format(" {:>9.1f} {:>3}", us, held);
      chart.panels[0].lines[g].points.emplace_back(threads, us);
      if (threads > kWarp && held < residency(gpu.sm, threads - kWarp)) drops[g].push_back(threads);
      if (threads > kWarp && us > kRises * before[g]) rises[g].push_back(threads);
      before[g] = us;
    }
    report.text += '\n';
  }
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    report.figures.push_back(exact_figure(gpus[g] + ": threads a block from which on it takes longer",
                                          fmt::format("{}", fmt::join(drops[g], ", ")),
                                          fmt::format("{}", fmt::join(rises[g], ", "))));
  }
  if (!options.out.empty()) write_chart(options.out + "/silicon-occupancy.svg", chart);
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"silicon/occupancy", 702},
                     "The time of a grid against the threads a block: a staircase with the steps of the residency",
                     [](const ExperimentOptions& options) { return silicon_occupancy(options); }});
}

}  // namespace gputlm
