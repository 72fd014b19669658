/// Microbenchmarks of real GPUs (reference.yaml) compared with the model. Each figure must be within 10 % of the published
/// value, or of the range of values if there are several. Each quantity is measured as in the programs whose results have been
/// published: a value is the difference of two kernels of which one does more of the same, so that launches, first misses and
/// ends cancel out.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "models/work_distributor/links.h"
#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

struct Microbenchmark {
  std::string key;   ///< key of the published value: GPU.KEY.WHO in reference.yaml
  std::string name;  ///< as printed, with its unit
};

constexpr std::uint32_t kWarpThreads = kWarpSize;
constexpr std::uint32_t kSteps = 256;  // per chain; the longer of two chains has twice as many
constexpr Address kLines = 0x1000'0000, kSmall = 0x2000'0000, kFar = 0x1'0000'0000;
constexpr Bytes kFarBytes = Bytes{1} << 30;

/// A chain of loads, each address depending on the previous load, one line after the other.
ProgramSpec chase(const std::string& pattern, Space space, std::uint32_t steps) {
  ProgramSpec spec;
  spec.name = "chase " + pattern;
  spec.block = {pattern == "far" ? 1u : kWarpThreads};  // a single thread: one random line per step
  spec.shared_memory = space == Space::kShared ? Bytes{kWarpThreads} * kLineBytes : 0;
  AffinePattern lines, small;
  lines.lane_stride = small.lane_stride = 4;
  lines.iteration_stride = small.iteration_stride = kLineBytes;
  small.footprint = Bytes{kWarpThreads} * kLineBytes;
  RandomPattern far;
  far.footprint = kFarBytes;
  if (pattern == "lines") spec.patterns = {{"lines", kLines, lines}};
  if (pattern == "small") spec.patterns = {{"small", space == Space::kShared ? 0 : kSmall, small}};
  if (pattern == "far") spec.patterns = {{"far", kFar, far}};
  spec.body = {loop(steps, {load(pattern, 4, 4, {4}, space)})};
  return spec;
}

ProgramSpec chain(Pipe pipe, std::uint32_t steps) {
  ProgramSpec spec;
  spec.name = "chain";
  spec.block = {kWarpThreads};
  spec.body = {loop(steps / 16, {instructions(pipe, 16, 1)})};
  return spec;
}

ProgramSpec empty() {
  ProgramSpec spec;
  spec.name = "empty";
  spec.block = {kWarpThreads};
  spec.body = {instructions(Pipe::kControl, 1)};  // the return
  return spec;
}

/// Blocks of 256 threads that read `bytes` from `base` on, 16 bytes per load, four loads at once, wrapping around after
/// `footprint`.
ProgramSpec sweep(Address base, Bytes bytes, Bytes footprint) {
  constexpr std::uint32_t kThreads = 256, kWidth = 16, kLoads = 4;
  constexpr Bytes kOfBlock = Bytes{kThreads} * kWidth * kLoads;
  ProgramSpec spec;
  spec.name = "sweep";
  spec.grid = {static_cast<std::uint32_t>(bytes / kOfBlock)};
  spec.block = {kThreads};
  AffinePattern pattern;
  pattern.lane_stride = kWidth;
  pattern.warp_stride = kWidth * kWarpThreads;
  pattern.iteration_stride = kWidth * kThreads;
  pattern.block_stride = static_cast<std::int64_t>(kOfBlock);
  pattern.footprint = footprint;
  spec.patterns = {{"data", base, pattern}};
  spec.body = {loop(kLoads, {load("data", kWidth)})};
  return spec;
}

Run run_of(const GpuConfig& gpu, const std::vector<ProgramSpec>& kernels) {
  Run run{gpu, workload_of_streams(1)};
  run.keep_blocks = false;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    launch(run.workload, 0, std::make_shared<ProgramKernel>(kernels[i], i));
  }
  return run;
}

double time_of(const std::vector<LaunchOutcome>& outcomes, std::size_t launch) {
  return static_cast<double>(outcomes.at(launch).time());
}

/// Data that fits into the L2, and into the own half for each half of a GPU.
L2Reading reading_of_l2(const GpuConfig& gpu) {
  constexpr Bytes kMax = Bytes{4} << 20;
  L2Reading reading{0, 8};
  const Bytes part = reading.pieces * kL2Piece;
  reading.footprint = std::max(part, std::min(kMax, gpu.l2.bytes / 2) / part * part);
  return reading;
}

/// The time of the second half of the longer of two chains.
double step(const std::vector<LaunchOutcome>& outcomes, std::size_t shorter) {
  return (time_of(outcomes, shorter + 1) - time_of(outcomes, shorter)) / kSteps;
}

/// In the order of display: those of a latency run, then those of a bandwidth run.
const std::vector<Microbenchmark>& microbenchmarks() {
  static const std::vector<Microbenchmark> all = {
      {"fp32", "dependent FP32 (cycles)"},     {"integer", "dependent INT (cycles)"},
      {"fp64", "dependent FP64 (cycles)"},     {"shared_latency", "shared memory (cycles)"},
      {"l1_latency", "L1 hit (cycles)"},       {"l2_latency", "L2 hit (cycles)"},
      {"dram_latency", "DRAM (cycles)"},       {"empty_kernel", "empty kernel (ns)"},
      {"dram_bandwidth", "DRAM, read (GB/s)"}, {"l2_bandwidth", "L2, read (GB/s)"},
  };
  return all;
}

/// One warp that calculates and chases pointers, in core cycles, and an empty kernel, in ns as reported by a profiler: from
/// its arrival on the GPU until it counts as ended. Values are in the order of microbenchmarks().
Run latency_run(const GpuConfig& gpu) {
  std::vector<ProgramSpec> kernels;
  for (const Pipe pipe : {Pipe::kFp32, Pipe::kInt, Pipe::kFp64}) {
    for (const std::uint32_t steps : {kSteps, 2 * kSteps}) kernels.push_back(chain(pipe, steps));
  }
  const auto two_chases = [&](const std::string& pattern, Space space) {
    for (const std::uint32_t steps : {kSteps, 2 * kSteps}) kernels.push_back(chase(pattern, space, steps));
  };
  two_chases("small", Space::kShared);
  for (const char* const pattern : {"small", "lines"}) {
    kernels.push_back(chase(pattern, Space::kGlobal, 2 * kSteps));  // fills the L2; each launch begins with an empty L1
    two_chases(pattern, Space::kGlobal);
  }
  two_chases("far", Space::kGlobal);
  kernels.push_back(empty());
  return run_of(gpu, kernels);
}

std::vector<double> latencies(const RunResult& result, const GpuConfig& gpu) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  std::vector<double> values;
  for (const std::size_t shorter : {0, 2, 4, 6, 9, 12, 14}) values.push_back(step(outcomes, shorter));
  const LaunchOutcome& empty = outcomes.back();
  const Cycle on_gpu = empty.notified - empty.arrived - host_hop(Clock::from_mhz(gpu.core_mhz), gpu.work_distributor);
  values.push_back(static_cast<double>(on_gpu) / gpu.core_mhz * 1000);
  return values;
}

/// All SMs read memory, then data in the L2; the longer of two sweeps reads `bytes` more than the shorter one. Values: GB/s,
/// in the order of microbenchmarks().
Run bandwidth_run(const GpuConfig& gpu, Bytes bytes) {
  Run run = run_of(gpu, {sweep(kFar, bytes / 2, kFarBytes), sweep(kFar + kFarBytes, 3 * bytes / 2, kFarBytes)});
  for (const unsigned waves : {3, 1, 3}) {  // the first one fills the L2
    launch(run.workload, 0, l2_reader(waves * l2_readers_at_once(gpu), reading_of_l2(gpu), Adds::kFloats));
  }
  return run;
}

std::vector<double> bandwidths(const RunResult& result, const GpuConfig& gpu, Bytes bytes) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const auto rate = [&](Bytes more, std::size_t shorter) {
    const double cycles = time_of(outcomes, shorter + 1) - time_of(outcomes, shorter);
    return static_cast<double>(more) / cycles * gpu.core_mhz / 1000;
  };
  return {rate(bytes, 0), rate(2 * l2_readers_at_once(gpu) * reading_of_l2(gpu).bytes_of_block(), 3)};
}

constexpr double kMargin = 0.10;
constexpr Bytes kMiB = Bytes{1} << 20;

struct SiliconRun {
  std::string gpu;
  bool bandwidth;
  bool operator<(const SiliconRun& other) const {
    return std::tie(gpu, bandwidth) < std::tie(other.gpu, other.bandwidth);
  }
};

std::string name_of_figure(const std::string& gpu, const Microbenchmark& benchmark) {
  return fmt::format("{}: {}", gpu, benchmark.name);
}

ExperimentReport microbenchmarks_of_gpus(const Study& all, const ExperimentOptions& options) {
  const std::vector<std::string>& gpus = all.gpus();
  const Bytes bytes = all.number("mib") * kMiB;
  RunSet<SiliconRun> runs;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu);
    runs.add({gpu, false}, latency_run(config));
    runs.add({gpu, true}, bandwidth_run(config, bytes));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"microbenchmark"}, {"gpu"}, {"value", "", "", "", 1}});
  for (const std::string& gpu : gpus) {
    const GpuConfig& config = runs.request({gpu, true}).config;
    std::vector<double> values = latencies(runs.result({gpu, false}), config);
    for (const double value : bandwidths(runs.result({gpu, true}), config, bytes)) values.push_back(value);
    for (std::size_t b = 0; b < values.size(); ++b) {
      const Microbenchmark& benchmark = microbenchmarks()[b];
      table.add({benchmark.name, gpu, values[b]});
      if (const std::optional<Published> measured = published(gpu, benchmark.key)) {
        report.figures.push_back({name_of_figure(gpu, benchmark), measured->quantity(), Quantity::number(values[b], 1),
                                  measured->band(kMargin), measured->place()});
      }
    }
  }
  report.tables = {{"Microbenchmarks on the model", pivot(table, {"microbenchmark"}, "gpu", {"value"})}};
  return report;
}

std::vector<Measurement> measurements_of_microbenchmarks() {
  std::vector<Measurement> all;
  const Study all_gpus = plan("silicon/microbenchmarks");
  for (const std::string& gpu : all_gpus.gpus()) {
    for (const Microbenchmark& benchmark : microbenchmarks()) {
      if (const std::optional<Published> silicon = published(gpu, benchmark.key))
        all.push_back({gpu, name_of_figure(gpu, benchmark), silicon->quantity(), silicon->place()});
    }
  }
  return all;
}

GPUTLM_REGISTER {
  add_experiment("silicon/microbenchmarks", microbenchmarks_of_gpus, {"mib"});
  measurements().add({{"silicon/microbenchmarks"}, measurements_of_microbenchmarks});
}

}  // namespace
}  // namespace gputlm
