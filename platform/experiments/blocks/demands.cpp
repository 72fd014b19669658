/// The error of SMs that run blocks with demands (docs/demands.md) relative to SMs that run warps: random kernels that read
/// DRAM, L2 and L1, write and compute. Each is measured alone as a profiler would, then two or three run side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/kernel/program_kernel.h"
#include "models/kernel/random.h"
#include "platform/input/id_set.h"
#include "platform/lab/demand_run.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "platform/programs/measured_kernels.h"
#include "platform/run/result.h"

namespace gputlm {
namespace {

constexpr unsigned kPassesOfDemand = 24, kLaunches = 4;

/// What a warp does in one pass.
struct DemandKernel {
  unsigned threads = 256, of_sm = 2;  ///< of_sm: blocks per SM
  unsigned dram = 0, l2 = 0, l1 = 0, stores = 0, fp32 = 0, width = 4;
  Bytes footprint = 0;  ///< part of the L2 that the kernel reads repeatedly
};

class DemandDraw {
 public:
  DemandDraw(std::uint64_t seed, const std::string& gpu, std::uint64_t mix)
      : seed_(seed), name_(hash_name("blocks/demands " + gpu)), mix_(mix) {}
  std::uint64_t operator()(std::uint64_t below) {
    return uniform_below(random_bits(seed_, name_, mix_, 0, place_++), below);
  }

 private:
  std::uint64_t seed_, name_, mix_, place_ = 0;
};

DemandKernel draw_kernel(DemandDraw& draw, const GpuConfig& gpu, unsigned of) {
  DemandKernel kernel;
  kernel.threads = 128u << draw(2);
  const unsigned most = gpu.sm.threads / of / kernel.threads;
  kernel.of_sm = 1 + static_cast<unsigned>(draw(most));
  kernel.width = 4u << draw(3);
  switch (draw(4)) {  // its dominant work
    case 0: kernel.dram = 1 + static_cast<unsigned>(draw(4)); break;
    case 1: kernel.l2 = 1 + static_cast<unsigned>(draw(4)); break;
    case 2: kernel.l1 = 1 + static_cast<unsigned>(draw(4)); break;
    default: break;
  }
  if (draw(3) == 0) ++kernel.dram;
  if (draw(3) == 0) ++kernel.l2;
  if (draw(4) == 0) kernel.stores = 1;
  kernel.fp32 = 4 + static_cast<unsigned>(kernel.dram + kernel.l2 > 0 ? draw(40) : 20 + draw(100));
  kernel.footprint = gpu.l2.bytes / (2u << draw(3));
  return kernel;
}

/// `launch`: each launch reads memory of its own, so that all find the caches like the first one.
ProgramSpec code_of(const DemandKernel& kernel, const GpuConfig& gpu, std::uint64_t number, unsigned launch) {
  ProgramSpec spec;
  spec.name = "kernel_" + std::to_string(number);
  spec.grid = {kernel.of_sm * gpu.sms};
  spec.block = {kernel.threads};
  const Address base = ((number + 1) << 36) + launch * (Address{1} << 29);
  const auto width = static_cast<std::uint8_t>(kernel.width);
  const Bytes of_warp = kWarpSize * kernel.width;
  std::vector<ProgramElement> body;
  std::vector<std::uint8_t> values{4};
  const auto read = [&](const std::string& name, unsigned count, const PatternShape& shape, Address at) {
    for (unsigned i = 0; i < count; ++i) {
      const std::string each = name + std::to_string(i);
      spec.patterns.push_back({each, at + i * (Address{1} << 33), shape});
      values.push_back(static_cast<std::uint8_t>(8 + 4 * values.size()));
      body.push_back(load(each, width, values.back()));
    }
  };
  AffinePattern stream;
  stream.lane_stride = kernel.width;
  stream.iteration_stride = static_cast<std::int64_t>(of_warp);
  stream.warp_stride = stream.iteration_stride * kPassesOfDemand;
  stream.block_stride = stream.warp_stride * (kernel.threads / static_cast<unsigned>(kWarpSize));
  read("dram_", kernel.dram, stream, base);
  AffinePattern again = stream;
  again.footprint = std::max<Bytes>(of_warp, kernel.footprint / std::max(1u, kernel.l2) / of_warp * of_warp);
  read("l2_", kernel.l2, again, base + (Address{1} << 35));
  read("l1_", kernel.l1, ReusePattern{2 * kernel.threads * kernel.width, false, 0}, base + (Address{3} << 34));
  for (std::size_t i = 1; i < values.size(); ++i) body.push_back(instruction(Pipe::kInt, 4, {4, values[i]}));
  body.push_back(instructions(Pipe::kFp32, kernel.fp32, 4));
  for (unsigned i = 0; i < kernel.stores; ++i) {
    spec.patterns.push_back({"out", base + (Address{7} << 33), stream});
    body.push_back(store("out", width, {4}));
  }
  spec.body = {loop(kPassesOfDemand, std::move(body))};
  return spec;
}

/// kFirst: a few launches alone, which determine how many of each take equally long; kAlone: those numbers of launches.
enum class DemandWhat : std::uint8_t { kFirst, kAlone, kMixWarps, kMixBlocks };
struct DemandKey {
  std::string gpu;
  std::uint64_t mix = 0;
  DemandWhat what = DemandWhat::kFirst;
  std::size_t kernel = 0;
};

struct DemandMix {
  GpuConfig gpu;
  std::vector<DemandKernel> kernels;
  std::vector<unsigned> launches;  ///< number per kernel, so that all kernels take about the same time
  bool apart = false;              ///< each kernel on separate SMs
};

DemandMix draw_mix(std::uint64_t seed, const std::string& gpu, std::uint64_t number) {
  DemandDraw draw(seed, gpu, number);
  DemandMix mix;
  mix.gpu = experiment_gpu(gpu);
  mix.apart = draw(3) == 0;
  const unsigned of = draw(3) == 0 ? 3 : 2;
  for (unsigned i = 0; i < of; ++i) mix.kernels.push_back(draw_kernel(draw, mix.gpu, of));
  return mix;
}

/// The launches of each kernel in a separate stream.
Run run_of(const DemandMix& mix, const std::vector<std::vector<std::shared_ptr<Kernel>>>& kernels, bool apart) {
  const auto count = static_cast<unsigned>(kernels.size());
  Run run{mix.gpu, workload_of_streams(count)};
  run.keep_blocks = false;
  for (unsigned k = 0; k < count; ++k) {
    for (const auto& kernel : kernels[k]) {
      const std::size_t id = launch(run.workload, k, kernel);
      if (apart) run.workload.launches[id].sms = sm_range(mix.gpu.sms * k / count, mix.gpu.sms * (k + 1) / count - 1);
    }
  }
  return run;
}

/// The end of the last launch in each stream.
std::vector<double> ends(const Run& run, const RunResult& result) {
  std::vector<double> last(run.workload.streams.size());
  for (const KernelRecord& k : result.kernels) {
    double& end = last[run.workload.launches[k.command].stream];
    end = std::max(end, static_cast<double>(k.end));
  }
  return last;
}

std::string describe(const DemandKernel& k) {
  return fmt::format("{}x{} dram {} l2 {} ({} KiB) l1 {} st {} fp {} w {}", k.of_sm, k.threads, k.dram, k.l2,
                     k.footprint >> 10, k.l1, k.stores, k.fp32, k.width);
}

ExperimentReport demands(const Study& plan_of_mixes, const ExperimentOptions& options) {
  const unsigned count = plan_of_mixes.number("mixes");
  RunSet<DemandKey> runs;
  RunSet<DemandKey, DemandRun> measured;
  std::vector<std::pair<DemandKey, DemandMix>> mixes;
  const auto codes = [](const DemandMix& mix, std::size_t k, unsigned launches) {
    std::vector<std::shared_ptr<Kernel>> all;
    for (unsigned i = 0; i < launches; ++i)
      all.push_back(std::make_shared<ProgramKernel>(code_of(mix.kernels[k], mix.gpu, k, i), 1));
    return all;
  };
  for (const std::string& gpu : plan_of_mixes.gpus()) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const DemandMix mix = draw_mix(options.seed, gpu, i);
      for (std::size_t k = 0; k < mix.kernels.size(); ++k) {
        LaunchCommand once;
        once.kernel = codes(mix, k, 1).front();
        measured.add({gpu, i, DemandWhat::kFirst, k}, {mix.gpu, once});
        runs.add({gpu, i, DemandWhat::kFirst, k}, run_of(mix, {codes(mix, k, kLaunches)}, false));
      }
      mixes.emplace_back(DemandKey{gpu, i}, mix);
    }
  }
  runs.run(options.jobs());
  measured.run(options.jobs());
  const auto alone = [&](DemandKey key, std::size_t k, DemandWhat what) {
    key.kernel = k, key.what = what;
    return ends(runs.request(key), runs.result(key)).front();
  };
  for (auto& [key, mix] : mixes) {
    double longest = 0;
    for (std::size_t k = 0; k < mix.kernels.size(); ++k) longest = std::max(longest, alone(key, k, DemandWhat::kFirst));
    for (std::size_t k = 0; k < mix.kernels.size(); ++k) {
      const double time = alone(key, k, DemandWhat::kFirst);
      const unsigned launches = std::max(1u, static_cast<unsigned>(longest / time * kLaunches));
      mix.launches.push_back(launches);
      runs.add({key.gpu, key.mix, DemandWhat::kAlone, k}, run_of(mix, {codes(mix, k, launches)}, false));
    }
  }
  runs.run(options.jobs());
  for (auto& [key, mix] : mixes) {
    std::vector<std::vector<std::shared_ptr<Kernel>>> warps, blocks;
    for (std::size_t k = 0; k < mix.kernels.size(); ++k) {
      const unsigned launches = mix.launches[k];
      warps.push_back(codes(mix, k, launches));
      const DemandKey of_kernel{key.gpu, key.mix, DemandWhat::kAlone, k},
          of_first{key.gpu, key.mix, DemandWhat::kFirst, k};
      const auto& records = runs.result(of_kernel).kernels;
      Cycle all = 0;
      for (std::size_t i = 1; i < records.size(); ++i) all += records[i].execution();
      const auto kernel =
          asking_kernel(*warps.back().front(), all / (records.size() - 1), measured.result(of_first), mix.gpu);
      blocks.emplace_back(launches, kernel);
    }
    DemandKey of_warps = key, of_blocks = key;
    of_warps.what = DemandWhat::kMixWarps, of_blocks.what = DemandWhat::kMixBlocks;
    runs.add(of_warps, run_of(mix, warps, mix.apart));
    Run run = run_of(mix, blocks, mix.apart);
    run.config.sm.model = "blocks";
    runs.add(of_blocks, std::move(run));
  }
  runs.run(options.jobs());

  ExperimentReport report{"blocks"};
  Table summary = RelativeErrors::summary(), unused = RelativeErrors::details();
  Table details({{"gpu"},
                 {"mix"},
                 {"apart", "", "Each kernel on SMs of its own"},
                 {"kernel", "", "A pass of a warp: loads by where they hit, stores, FP32 instructions, bytes a lane"},
                 {"alone", "cycles", "All its launches, alone on all SMs"},
                 {"warps", "cycles", "The same, beside the others"},
                 {"blocks", "cycles", "The same with demands"},
                 {"error", "%"}});
  RelativeErrors all;
  std::string of_gpu;
  RelativeErrors its;
  const auto close = [&] {
    if (!its.empty()) its.add_to(summary, unused, of_gpu);
    its = {};
  };
  for (auto& [key, mix] : mixes) {
    if (key.gpu != of_gpu) close();
    of_gpu = key.gpu;
    DemandKey of_warps = key, of_blocks = key;
    of_warps.what = DemandWhat::kMixWarps, of_blocks.what = DemandWhat::kMixBlocks;
    const auto right = ends(runs.request(of_warps), runs.result(of_warps)),
               ours = ends(runs.request(of_blocks), runs.result(of_blocks));
    for (std::size_t k = 0; k < right.size(); ++k) {
      const std::string its_name = describe(mix.kernels[k]);
      const std::string name = fmt::format("mix {}{}, {}", key.mix, mix.apart ? ", apart" : "", its_name);
      details.add({key.gpu, key.mix, mix.apart, its_name, std::round(alone(key, k, DemandWhat::kAlone)),
                   std::round(right[k]), std::round(ours[k]), 100 * (ours[k] / right[k] - 1)});
      its.add(name, right[k], ours[k]);
      all.add(name, right[k], ours[k]);
    }
  }
  close();
  const auto bounded = [&](const std::string& name, const std::string& key, double percent) {
    report.equal(name, key, Quantity::number(percent, 1, " %"));
    report.figures.back().band = Band::range(0, reference("blocks").number(key), 1);
  };
  bounded("demands: mean error of the time that a kernel takes beside others", "demands.mean", all.mean());
  bounded("demands: worst error", "demands.worst", all.quantile(1));
  report.tables = {{"Errors in per cent", summary, "summary"}, {"", details}};
  return report;
}

GPUTLM_REGISTER { add_experiment("blocks/demands", demands, {"mixes"}); }

}  // namespace
}  // namespace gputlm
