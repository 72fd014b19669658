/// Bandwidth of DRAM as a function of the number of warps per SM that read, write or copy: for one kernel on half of the SMs,
/// and for two on a half each. No number of a real GPU judges it; silicon/corun has rows of copies that do.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "models/kernel/program.h"
#include "platform/experiments/silicon/corun_kernels.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr Bytes kMib = Bytes{1} << 20;
constexpr Bytes kFills = 2;                      // multiple of the L2's size moved before
constexpr Address kFirstMemory = 0x1'0000'0000;  // size of each kernel's memory:
constexpr Bytes kMemoryOfOne = Bytes{4} << 30;

struct BandwidthCase {
  std::string gpu, kernel;
  unsigned warps, together;
  bool operator<(const BandwidthCase& other) const {
    return std::tie(gpu, kernel, warps, together) < std::tie(other.gpu, other.kernel, other.warps, other.together);
  }
};

CorunKernel kernel_of(const GpuConfig& gpu, const BandwidthCase& which) {
  using Kind = CorunKernel::Kind;
  const unsigned blocks = (which.warps * kWarpSize + kMaxThreadsPerBlock - 1) / kMaxThreadsPerBlock;  // blocks per SM
  CorunKernel kernel;
  kernel.kind = which.kernel == "copy" ? Kind::kCopy : which.kernel == "read" ? Kind::kRead : Kind::kWrite;
  kernel.grid = gpu.sms / 2 * blocks;
  kernel.block = which.warps * kWarpSize / blocks;
  kernel.bytes = kMemoryOfOne / 2;
  return kernel;
}

Run run_of_bandwidth(const GpuConfig& gpu, const BandwidthCase& which, const std::vector<unsigned>& mib) {
  Run run{gpu, workload_of_streams(2)};
  run.keep_blocks = false;
  const CorunKernel kernel = kernel_of(gpu, which);
  CorunPart part;
  out_of_step(part);
  unsigned phase = 0;
  for (const Bytes bytes : {kFills * gpu.l2.bytes, mib.at(0) * kMib, mib.at(1) * kMib}) {
    part.steps = std::max<std::uint64_t>(1, bytes / bytes_of_step(kernel));
    for (unsigned one = 0; one < which.together; ++one) {
      const std::size_t id =
          launch(run.workload, one, corun_kernel(kernel, part, kFirstMemory + one * kMemoryOfOne), 0, phase);
      run.workload.launches[id].sms = half_of_sms(gpu.sms, one);
    }
    part.from += part.steps;
    ++phase;
  }
  return run;
}

double gb_per_s_of(const Run& run, const RunResult& result, const BandwidthCase& which,
                   const std::vector<unsigned>& mib) {
  const std::vector<Cycle> phases = times_of_phases(run.workload, result);
  const Bytes step = bytes_of_step(kernel_of(run.config, which));
  const Bytes bytes = (mib.at(1) * kMib / step - mib.at(0) * kMib / step) * step * which.together;
  return static_cast<double>(bytes) / static_cast<double>(phases.at(2) - phases.at(1)) * run.config.core_mhz / 1000;
}

ExperimentReport bandwidth_by_warps(const Study& all, const ExperimentOptions& options) {
  const std::vector<unsigned> mib = all.numbers("mib");
  RunSet<BandwidthCase> runs;
  for (const std::string& gpu : all.gpus()) {
    const GpuConfig config = experiment_gpu(gpu);
    for (const std::string& kernel : all.values("kernel")) {
      for (const unsigned warps : all.numbers("warps")) {
        for (const unsigned together : {1u, 2u}) {
          const BandwidthCase which{gpu, kernel, warps, together};
          runs.add(which, run_of_bandwidth(config, which, mib));
        }
      }
    }
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"kernel"},
               {"who"},
               {"warps", "", "warps of an SM"},
               {"gb_per_s", "GB/s", "bandwidth of DRAM", "GB/s", 0}});
  for (const BandwidthCase& which : runs.keys()) {
    table.add({which.gpu, which.kernel, which.together == 1 ? "alone" : "two", which.warps,
               gb_per_s_of(runs.request(which), runs.result(which), which, mib)});
  }
  report.tables = {{"GB/s of DRAM, one kernel on half of the SMs and two, each on a half",
                    pivot(table, {"gpu", "kernel", "who"}, "warps", {"gb_per_s"})}};
  report.charts = {{line_chart(table, {"warps", "gb_per_s", {"kernel", "who"}, "gpu", true})}};
  return report;
}

GPUTLM_REGISTER { add_experiment("silicon/bandwidth", bandwidth_by_warps, {"kernel", "warps", "mib"}); }

}  // namespace
}  // namespace gputlm
