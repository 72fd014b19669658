/// Bandwidth of DRAM as a function of the number of SMs, or blocks, that use it, compared with measurements on real GPUs
/// (measured/scaling.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <tuple>

#include "models/kernel/program.h"
#include "models/work_distributor/kernel_order.h"
#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/experiments/silicon/corun_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

constexpr Bytes kScalingMib = Bytes{1} << 20;
constexpr double kGib = 1.073741824;  // in 10^9 bytes
constexpr Bytes kFillsBefore = 2;     // multiple of the L2's size moved before
constexpr Address kMemory = 0x1'0000'0000, kOtherMemory = 0x10'0000'0000;
constexpr std::uint32_t kReaderRegisters = 56;

struct ScalingPoint {
  std::string gpu, unit;  ///< "gb_per_s" or "gib_per_s"
  unsigned count = 0;     ///< SMs that read, or blocks that copy
  bool operator<(const ScalingPoint& other) const {
    return std::tie(gpu, count, unit) < std::tie(other.gpu, other.count, other.unit);
  }
  std::string key() const { return fmt::format("{}.{}.{}", gpu, unit, count); }
};

/// The kernel of a point's GPU.
struct ScalingKernel {
  ScalingKernel(const Reference& silicon, const ScalingPoint& point)
      : copies(silicon.text(point.gpu + ".kernel") == "copy"), block(of(silicon, point, "block")) {
    if (copies) return;
    blocks = of(silicon, point, "blocks");
    loads = of(silicon, point, "loads");
  }
  static std::uint32_t of(const Reference& silicon, const ScalingPoint& point, const char* what) {
    return static_cast<std::uint32_t>(silicon.number(point.gpu + "." + what));
  }
  std::string title(const ScalingPoint& point) const {
    return fmt::format("{}: {} {} ({})", point.gpu, point.count, copies ? "blocks copy" : "SMs read",
                       point.unit == "gb_per_s" ? "GB/s" : "GiB/s");
  }
  /// Bytes of DRAM that a step of all threads moves.
  Bytes step(unsigned count) const {
    return copies ? Bytes{count} * block * 2 * sizeof(float)
                  : Bytes{count} * blocks * block * GridReader::kLoad * loads;
  }

  bool copies;
  std::uint32_t block, blocks = 1, loads = 1;
};

/// `steps` steps starting with the `from`-th, on `count` SMs.
std::shared_ptr<Kernel> reader(const ScalingKernel& kernel, unsigned count, std::uint64_t from, std::uint64_t steps) {
  const GridReader reader{"reader", count * kernel.blocks, kernel.block, kernel.loads, kReaderRegisters};
  return grid_reader(reader, kMemory + from * reader.bytes_of_pass(), steps);
}

/// Steps of the two runs that are measured.
std::vector<std::uint64_t> steps_of(const ScalingKernel& kernel, const ScalingPoint& point, const GpuConfig& gpu,
                                    const std::vector<unsigned>& mib) {
  const double share = kernel.copies ? 1 : std::min(1.0, 4.0 * point.count / gpu.sms);
  std::vector<std::uint64_t> steps;
  for (const unsigned of_run : mib) {
    const auto bytes = static_cast<Bytes>(share * static_cast<double>(of_run * kScalingMib));
    steps.push_back(std::max<std::uint64_t>(bytes / kernel.step(point.count), steps.size() + 1));
  }
  return steps;
}

Run run_of_scaling(const ScalingKernel& kernel, const ScalingPoint& point, const std::vector<unsigned>& mib) {
  Run run{experiment_gpu(point.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  const GpuConfig& gpu = run.config;
  // The steady state of the L2 with all SMs: full of what has been read, or of what has been written.
  CorunKernel fills;
  fills.kind = kernel.copies ? CorunKernel::Kind::kCopy : CorunKernel::Kind::kRead;
  fills.grid = 2 * gpu.sms;
  fills.block = kernel.copies ? kernel.block : 512;
  fills.bytes = Bytes{4} << 30;
  CorunPart part;
  part.steps = kFillsBefore * gpu.l2.bytes / bytes_of_step(fills);
  launch(run.workload, 0, corun_kernel(fills, part, kOtherMemory));
  std::uint64_t from = 0;
  unsigned phase = 1;
  for (const std::uint64_t steps : steps_of(kernel, point, gpu, mib)) {
    std::shared_ptr<Kernel> moves;
    if (kernel.copies) {
      CorunKernel copy;
      copy.grid = point.count;
      copy.block = kernel.block;
      copy.bytes = Bytes{4} << 30;
      CorunPart own;
      own.from = from;
      own.steps = steps;
      moves = corun_kernel(copy, own, kMemory);
    } else {
      moves = reader(kernel, point.count, from, steps);
    }
    const std::size_t id = launch(run.workload, 0, moves, 0, phase++);
    if (!kernel.copies) run.workload.launches[id].sms = all_sms(point.count);
    from += steps;
  }
  return run;
}

double rate_of(const ScalingKernel& kernel, const ScalingPoint& point, const Run& run, const RunResult& result,
               const std::vector<unsigned>& mib) {
  const std::vector<Cycle> phases = times_of_phases(run.workload, result);
  const std::vector<std::uint64_t> steps = steps_of(kernel, point, run.config, mib);
  const auto bytes = static_cast<double>((steps.at(1) - steps.at(0)) * kernel.step(point.count));
  const double gb_per_s =
      bytes / (static_cast<double>(phases.at(2)) - static_cast<double>(phases.at(1))) * run.config.core_mhz / 1000;
  return point.unit == "gb_per_s" ? gb_per_s : gb_per_s / kGib;
}

/// The keys that are measurements, in the order of judgement.
std::vector<ScalingPoint> scaling_points(const std::vector<std::string>& keys) {
  std::vector<ScalingPoint> points;
  for (const std::string& key : keys) {
    const std::size_t unit = key.find('.') + 1, count = key.rfind('.') + 1;
    if (count == unit) continue;  // a key of the kernel
    points.push_back({key.substr(0, unit - 1), key.substr(unit, count - unit - 1),
                      parse_number<unsigned>(key.substr(count)).value()});
  }
  std::sort(points.begin(), points.end());
  return points;
}

std::vector<Measurement> measurements_of_scaling() {
  const Reference silicon = measured_values("scaling");
  std::vector<Measurement> all;
  for (const ScalingPoint& p : scaling_points(silicon.keys()))
    all.push_back({p.gpu, ScalingKernel(silicon, p).title(p), silicon.at(p.key()), silicon.place(p.key())});
  return all;
}

ExperimentReport scaling(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("scaling");
  const std::vector<unsigned> mib = all.numbers("mib");
  RunSet<ScalingPoint> runs;
  for (const ScalingPoint& p : scaling_points(chosen_points(all, silicon)))
    runs.add(p, run_of_scaling({silicon, p}, p, mib));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"who"},
               {"count", "SMs or blocks", "users of the DRAM"},
               {"gb_per_s", "GB/s", "bandwidth of the DRAM", "GB/s", 0}});
  for (const ScalingPoint& p : runs.keys()) {
    const ScalingKernel kernel(silicon, p);
    const double ours = rate_of(kernel, p, runs.request(p), runs.result(p), mib);
    const double in_gb = p.unit == "gb_per_s" ? 1 : kGib;
    table.add({p.gpu, "model", p.count, ours * in_gb});
    table.add({p.gpu, "silicon", p.count, silicon.number(p.key()) * in_gb});
    report.figures.push_back({kernel.title(p), silicon.at(p.key()), Quantity::number(ours, 0), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  report.charts = {{line_chart(table, {"count", "gb_per_s", {"who"}, "gpu", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/scaling", scaling, {"points", "mib"});
  measurements().add({{"silicon/scaling"}, measurements_of_scaling});
}

}  // namespace
}  // namespace gputlm
