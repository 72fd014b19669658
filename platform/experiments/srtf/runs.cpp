#include "platform/experiments/srtf/runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "models/kernel/program_kernel.h"
#include "platform/input/nearest.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kQuickBlocks = 960;

constexpr Address kInstanceBytes = Address{1} << 40;

ErcbenchKernel kernel_of(const std::string& name, const std::string& short_name, const std::string& file) {
  const auto fact = [&](const char* key) { return reference("srtf").number("kernels." + name + "." + key); };
  return {name,
          short_name,
          file,
          static_cast<unsigned>(fact("residency")),
          static_cast<unsigned>(fact("threads")),
          static_cast<std::uint64_t>(fact("blocks")),
          static_cast<Cycle>(fact("runtime")),
          static_cast<Cycle>(fact("mean_t")),
          fact("rsd_percent")};
}

constexpr unsigned kWaves = 4, kWavesBesideOthers = 3, kQuickWaves = 2;
constexpr std::uint32_t kPasses = 2, kPassesBesideOthers = 4;

Bytes rounded_down(Bytes bytes, const GpuConfig& gpu) {
  const Bytes step = gpu.work_distributor.shared_memory_granularity;
  return bytes / step * step;
}

/// `passes`: iterations, over 64 bytes each, of the only outer loop of SHA1's threads.
std::shared_ptr<Kernel> make_kernel(const ErcbenchKernel& kernel, std::uint64_t blocks, Bytes shared_memory,
                                    std::uint32_t passes, std::uint64_t seed, unsigned instance) {
  ProgramSpec spec = ercbench_program(kernel, 0, instance);
  spec.grid = {static_cast<std::uint32_t>(blocks)};
  spec.shared_memory = shared_memory;
  if (kernel.name == "SHA1") {
    for (ProgramElement& element : spec.body) {
      if (auto* loop = std::get_if<LoopElement>(&element.what)) loop->count = passes;
    }
  }
  return std::make_shared<ProgramKernel>(spec, seed);
}

Run run_alone(const ResidencyRun& what, const ExperimentOptions& options) {
  const ErcbenchKernel& kernel = ercbench()[what.kernel];
  Run run{experiment_gpu("gtx480"), workload_of_streams(1)};
  const std::uint64_t blocks = run.config.sms * kernel.residency * (options.quick ? kQuickWaves : kWaves);
  const Bytes memory = rounded_down(run.config.sm.shared_memory / what.residency, run.config);
  launch(run.workload, 0, make_kernel(kernel, blocks, memory, kPasses, options.seed, 0));
  return run;
}

/// Under MPMax each kernel leaves room for a block of the other. Neither another block of the co-runner nor another one of
/// the kernel would fit on an SM.
Run run_beside(const ResidencyRun& what, const ExperimentOptions& options) {
  const ErcbenchKernel &kernel = ercbench()[what.kernel], &other = ercbench()[what.co_runner];
  Run run{experiment_gpu("gtx480", {{"work_distributor.kernel_order", "mpmax"}}), workload_of_streams(2)};
  const unsigned own_waves = options.quick ? kQuickWaves : kWavesBesideOthers;
  const Bytes all = run.config.sm.shared_memory;
  const Bytes memory =
      rounded_down(all / (what.co_residency + 1), run.config) + run.config.work_distributor.shared_memory_granularity;
  const Bytes rest = rounded_down((all - what.co_residency * memory) / what.residency, run.config);
  // Blocks of the kernel take at most 1.5 times as long as at full residency, the co-runner's at least a quarter.
  const std::uint64_t waves = 1 + own_waves * kernel.mean_t * 3 / 2 / (other.mean_t / 4);
  launch(run.workload, 0,
         make_kernel(other, run.config.sms * what.co_residency * waves, memory, kPassesBesideOthers, options.seed, 0));
  launch(run.workload, 1,
         make_kernel(kernel, run.config.sms * what.residency * own_waves, rest, kPassesBesideOthers, options.seed, 1));
  return run;
}

unsigned most_resident(const std::vector<BlockRecord>& blocks) {
  std::vector<std::pair<std::pair<SmId, Cycle>, int>> events;
  for (const BlockRecord& b : blocks) {
    events.push_back({{b.sm, b.start}, 1});
    events.push_back({{b.sm, b.end}, -1});
  }
  std::sort(events.begin(), events.end());  // at equal cycles, ends come before starts
  int now = 0, most = 0;
  for (const auto& event : events) most = std::max(most, now += event.second);
  return static_cast<unsigned>(most);
}

/// Time at which the first slot became free for which no block was left.
Cycle exhausted(const std::vector<BlockRecord>& blocks, std::size_t places) {
  std::vector<Cycle> ends;
  ends.reserve(blocks.size());
  for (const BlockRecord& b : blocks) ends.push_back(b.end);
  std::sort(ends.begin(), ends.end());
  return ends.at(ends.size() - places);
}

}  // namespace

double SrtfOutcome::slowdown(std::size_t k) const { return gputlm::slowdown(turnaround[k], alone[k]); }
double SrtfOutcome::stp() const { return gputlm::stp({slowdown(0), slowdown(1)}); }
double SrtfOutcome::antt() const { return gputlm::antt({slowdown(0), slowdown(1)}); }
double SrtfOutcome::strictf() const { return gputlm::strictf({slowdown(0), slowdown(1)}); }

SrtfRuns::SrtfRuns(std::vector<std::size_t> kernels, ExperimentOptions options, unsigned dispatch_width)
    : kernels_(std::move(kernels)), options_(std::move(options)), dispatch_width_(dispatch_width) {
  RunSet<std::size_t> runs;
  for (const std::size_t index : kernels_) {
    Run run{gpu("leftover"), workload_of_streams(1)};
    run.keep_predictions = true;
    launch(run.workload, 0, kernel(index, 0));
    runs.add(index, std::move(run));
  }
  runs.run(options_.jobs());
  for (const std::size_t index : kernels_) alone_[index] = launch_outcomes(runs.result(index)).front();
}

GpuConfig SrtfRuns::gpu(const std::string& order) const {
  return plan("srtf/workloads")
      .config_with({{"work_distributor.kernel_order", order},
                    {"work_distributor.dispatch_width", std::to_string(dispatch_width_)}});
}

std::shared_ptr<Kernel> SrtfRuns::kernel(std::size_t index, unsigned instance) const {
  return ercbench_kernel(ercbench()[index], options_.seed, options_.quick ? kQuickBlocks : 0, instance);
}

std::vector<SrtfPair> SrtfRuns::pairs() const {
  std::vector<SrtfPair> result;
  for (std::size_t a = 0; a < kernels_.size(); ++a) {
    for (std::size_t b = a + 1; b < kernels_.size(); ++b) result.push_back({kernels_[a], kernels_[b]});
  }
  return result;
}

void SrtfRuns::add(const SrtfRun& run) {
  if (runs_.has(run)) return;
  Run made{gpu(run.order), workload_of_streams(2)};
  made.keep_predictions = run.predictions;
  const Clock clock = Clock::from_mhz(made.config.core_mhz);
  for (unsigned k = 0; k < 2; ++k) {
    const std::size_t id = launch(made.workload, k, kernel(run.pair[k], k), clock.edge(k * run.apart));
    made.workload.launches[id].alone_cycles = alone_cycles(run.pair[k]);
  }
  runs_.add(run, std::move(made));
}

SrtfOutcome SrtfRuns::operator[](const SrtfRun& run) const {
  std::vector<LaunchOutcome> launches = launch_outcomes(runs_.result(run));
  SrtfOutcome outcome;
  for (std::size_t k = 0; k < 2; ++k) {
    outcome.alone[k] = alone_cycles(run.pair[k]);
    outcome.turnaround[k] = launches[k].end - launches[k].arrived;
    outcome.launches[k] = std::move(launches[k]);
  }
  return outcome;
}

std::vector<std::size_t> srtf_kernels(const ExperimentOptions& options) {
  return srtf_kernels(plan("srtf/workloads", options));
}

std::vector<std::size_t> srtf_kernels(const Study& plan) {
  std::vector<std::size_t> kernels;
  for (const std::string& name : plan.values("kernels")) kernels.push_back(ercbench_index(name));
  return kernels;
}

std::string name_of(const SrtfPair& pair) {
  return ercbench()[pair[0]].short_name + "+" + ercbench()[pair[1]].short_name;
}

const std::array<ErcbenchKernel, 8>& ercbench() {
  static const std::array<ErcbenchKernel, 8> kernels{kernel_of("AES-d", "AES-d", "aes-d"),
                                                     kernel_of("AES-e", "AES-e", "aes-e"),
                                                     kernel_of("ImageDenoising-nlm2", "NLM2", "nlm2"),
                                                     kernel_of("JPEG-d", "JPEG-d", "jpeg-d"),
                                                     kernel_of("JPEG-e", "JPEG-e", "jpeg-e"),
                                                     kernel_of("RayTracing", "Ray", "raytracing"),
                                                     kernel_of("SAD", "SAD", "sad"),
                                                     kernel_of("SHA1", "SHA1", "sha1")};
  return kernels;
}

std::size_t ercbench_index(const std::string& short_name) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < ercbench().size(); ++i) {
    if (ercbench()[i].short_name == short_name) return i;
    names.push_back(ercbench()[i].short_name);
  }
  throw InputError("there is no ERCBench kernel '" + short_name + "'" + suggestion(short_name, names));
}

ProgramSpec ercbench_program(const ErcbenchKernel& kernel, std::uint64_t most_blocks, unsigned instance) {
  ProgramSpec spec =
      embedded_program(ercbench_sources(), "workloads/ercbench", kernel.file, (instance + 1) * kInstanceBytes);
  if (most_blocks != 0 && spec.grid.count() > most_blocks) spec.grid = {static_cast<std::uint32_t>(most_blocks)};
  return spec;
}

std::shared_ptr<Kernel> ercbench_kernel(const ErcbenchKernel& kernel, std::uint64_t seed, std::uint64_t most_blocks,
                                        unsigned instance) {
  return std::make_shared<ProgramKernel>(ercbench_program(kernel, most_blocks, instance), seed);
}

void ResidencyRuns::add(const ResidencyRun& run) {
  if (!runs_.has(run)) runs_.add(run, run.co_residency == 0 ? run_alone(run, options_) : run_beside(run, options_));
}

ResidencyOutcome ResidencyRuns::operator[](const ResidencyRun& run) const {
  const std::vector<LaunchOutcome> launches = launch_outcomes(runs_.result(run));
  const LaunchOutcome& launched = launches.back();
  Cycle sum = 0;
  for (const BlockRecord& b : launched.blocks) sum += b.end - b.start;
  ResidencyOutcome result;
  result.mean_t = ratio(static_cast<double>(sum), static_cast<double>(launched.blocks.size()));
  result.runtime = launched.time();
  result.held = most_resident(launched.blocks) == run.residency;
  if (run.co_residency == 0) return result;
  const std::vector<BlockRecord>& others = launches.front().blocks;
  result.held = result.held && most_resident(others) == run.co_residency;
  if (launched.end > exhausted(others, std::size_t{runs_.request(run).config.sms} * run.co_residency)) {
    throw std::runtime_error(fmt::format("{} blocks of {} had started before {} ended", others.size(),
                                         ercbench()[run.co_runner].name, ercbench()[run.kernel].name));
  }
  return result;
}

}  // namespace gputlm
