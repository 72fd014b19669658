/// The occupancy staircase: the time of a grid of short blocks by threads per block, in steps of a warp. The number of
/// simultaneous blocks is what the SMs hold, so the time rises where one fewer fits, and nowhere else. The number that fits
/// follows from the occupancy rule of the CUDA C++ Programming Guide; the rises of the time come from the model.
#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr unsigned kWarp = kWarpSize;
constexpr std::uint32_t kRegisters = 16;  // per thread: they are never the limit
constexpr double kRises = 1.01;           // criterion for a rise

/// Blocks that fit on an SM.
unsigned residency(const SmConfig& sm, unsigned threads) {
  const unsigned warps = (threads + kWarp - 1) / kWarp;
  return std::min({sm.blocks, sm.warps / warps, sm.threads / (warps * kWarp)});
}

/// Blocks take 10 us, plus or minus up to 52 %, so that they do not end in waves.
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

ExperimentReport occupancy_staircase(const Study& all, const ExperimentOptions& options) {
  const std::vector<std::string>& gpus = all.gpus();
  const unsigned blocks = all.number("blocks");
  std::vector<unsigned> sizes;
  for (unsigned threads = kWarp; threads <= kMaxThreadsPerBlock; threads += kWarp) sizes.push_back(threads);
  RunSet<std::pair<std::string, unsigned>> runs;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu);
    for (const unsigned threads : sizes) runs.add({gpu, threads}, occupancy_run(config, threads, blocks));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"threads", "", "threads a block"},
               {"time_us", "us", fmt::format("time of {} blocks", blocks), "us", 1},
               {"residency", "", "Blocks that an SM holds", "held"}});
  for (const std::string& gpu : gpus) {
    std::vector<unsigned> drops, rises;
    double before = 0;
    for (const unsigned threads : sizes) {
      const GpuConfig& config = runs.request({gpu, threads}).config;
      const double us =
          static_cast<double>(launch_outcomes(runs.result({gpu, threads})).at(0).time()) / config.core_mhz;
      const unsigned held = residency(config.sm, threads);
      table.add({gpu, threads, us, held});
      if (threads > kWarp && held < residency(config.sm, threads - kWarp)) drops.push_back(threads);
      if (threads > kWarp && us > kRises * before) rises.push_back(threads);
      before = us;
    }
    report.figures.push_back(exact_figure(gpu + ": threads a block from which on it takes longer",
                                          fmt::format("{}", fmt::join(drops, ", ")),
                                          fmt::format("{}", fmt::join(rises, ", "))));
  }
  report.tables = {{fmt::format("Time of {} blocks of 10 us, in us, and the blocks that an SM holds", blocks),
                    pivot(table, {"threads"}, "gpu", {"time_us", "residency"})}};
  report.charts = {{line_chart(table, {"threads", "time_us", {"gpu"}})}};
  return report;
}

GPUTLM_REGISTER { add_experiment("silicon/occupancy", occupancy_staircase, {"blocks"}); }

}  // namespace
}  // namespace gputlm
