/// A GEMV and a GEMM on the same SMs, by their number, compared with measurements on real GPUs (measured/placement.yaml): the
/// SMs on which the second begins while the first has blocks.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <tuple>

#include "models/kernel/kernel.h"
#include "models/kernel/program_kernel.h"
#include "models/work_distributor/kernel_order.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

constexpr unsigned kStepsOfPlacement = 64;  ///< steps of the GEMM's k, 16 each

constexpr Bytes kHalf = 2;
constexpr Address kMatrix = 0x1'0000'0000, kVector = 0x2'0000'0000, kLeft = 0x3'0000'0000, kRight = 0x4'0000'0000;
constexpr std::uint32_t kRows = 8192, kRowsOfBlock = 256;             // size of the GEMV
constexpr std::uint32_t kSize = 1024, kTile = 16, kWarpsOfBlock = 4;  // size of the GEMM
constexpr std::uint8_t kPlace = 8, kBelow = 10, kFetched = 11;

ProgramElement load_at(std::string pattern, std::uint8_t width, std::uint8_t destination, std::int64_t offset = 0) {
  MemoryElement load;
  load.pattern = std::move(pattern);
  load.width = width;
  load.offset = offset;
  load.registers.destination = destination;
  load.registers.sources = {kPlace};
  return {load};
}

/// Loop overhead: the index before, and the test and branch behind, on which the following code depends.
void begin_pass(std::vector<ProgramElement>& body) {
  body.push_back(instruction(Pipe::kInt, kPlace, {kPlace, kFetched}));
}
void end_pass(std::vector<ProgramElement>& body) {
  body.push_back(instruction(Pipe::kInt, kBelow, {kPlace}));
  body.push_back(instruction(Pipe::kControl, kFetched, {kBelow}));
}

std::uint8_t after(std::uint8_t reg, unsigned further) { return static_cast<std::uint8_t>(reg + further); }

/// `steps` steps starting with the `from`-th, or the same fraction of the GEMV's rows. The number of registers is assumed,
/// since the source does not give it.
std::shared_ptr<Kernel> placement_gemv(unsigned from, unsigned steps) {
  constexpr unsigned kUnrolled = 4;  // assumed: nvcc's unrolling
  constexpr Bytes kRow = kRows * kHalf, kPass = kUnrolled * kHalf, kStep = kRow / kStepsOfPlacement;
  constexpr std::uint8_t kSum = 5, kCoefficient = 20, kFactor = 24;
  ProgramSpec spec;
  spec.name = "gemv";
  spec.grid = {kRows / kRowsOfBlock};
  spec.block = {kRowsOfBlock};
  AffinePattern matrix;
  matrix.lane_stride = kRow;
  matrix.warp_stride = kWarpSize * kRow;
  matrix.block_stride = kRowsOfBlock * kRow;
  matrix.iteration_stride = kPass;
  spec.patterns = {{"matrix", kMatrix + from * kStep, matrix},
                   {"vector", kVector + from * kStep, BroadcastPattern{kPass}}};
  std::vector<ProgramElement> body;
  begin_pass(body);
  for (unsigned u = 0; u < kUnrolled; ++u) {
    const auto offset = static_cast<std::int64_t>(u * kHalf);
    body.push_back(load_at("matrix", kHalf, after(kCoefficient, u), offset));
    body.push_back(load_at("vector", kHalf, after(kFactor, u), offset));
  }
  for (unsigned u = 0; u < kUnrolled; ++u) {  // two conversions, and a multiply-add
    body.push_back(instruction(Pipe::kFp32, after(kCoefficient, u), {after(kCoefficient, u)}));
    body.push_back(instruction(Pipe::kFp32, after(kFactor, u), {after(kFactor, u)}));
    body.push_back(instruction(Pipe::kFp32, kSum, {kSum, after(kCoefficient, u), after(kFactor, u)}));
  }
  end_pass(body);
  spec.body = {loop(static_cast<std::uint32_t>(steps * kStep / kPass), body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

/// A warp's fragments are loaded from rows of memory as by wmma: a quarter of a warp's lanes reads one row. Each of four
/// loads of A covers 8 rows of 16 bytes; each of eight loads of B covers 4 rows of 16 bytes. Blocks of 4 x 32 threads replace
/// the source's 32 x 4, so that a thread's x is its position in such a row and its y continues over the warps of a block.
std::shared_ptr<Kernel> placement_gemm(unsigned from, unsigned steps) {
  constexpr Bytes kRow = kSize * kHalf, kStepLeft = kTile * kHalf, kStepRight = kTile * kRow, kFragment = 8 * kHalf;
  constexpr std::uint8_t kA = 20, kB = 24, kPacked = 32, kC = 40;
  ProgramSpec spec;
  spec.name = "gemm";
  spec.grid = {kSize / (kWarpsOfBlock * kTile), kSize / kTile};
  spec.block = {4, 8 * kWarpsOfBlock};
  spec.registers_per_thread = 48;
  std::vector<ProgramElement> body;
  begin_pass(body);
  for (unsigned f = 0; f < 4; ++f) {
    IndexedPattern a;
    a.thread_x_stride = 2 * kHalf;
    a.thread_y_stride = 2 * kRow;
    a.block_x_stride = kWarpsOfBlock * kTile * kRow;
    a.iteration_stride = kStepLeft;
    const std::string name = "a" + std::to_string(f);
    spec.patterns.push_back({name, kLeft + from * kStepLeft + f / 2 * kRow + f % 2 * kFragment, a});
    body.push_back(load_at(name, 2 * kHalf, after(kA, f)));
  }
  for (unsigned f = 0; f < 8; ++f) {
    IndexedPattern b;
    b.thread_x_stride = 2 * kRow;
    b.thread_y_stride = kHalf;
    b.block_y_stride = kTile * kHalf;
    b.iteration_stride = kStepRight;
    const std::string name = "b" + std::to_string(f);
    const Bytes row = f % 2 + f / 4 * 8;
    spec.patterns.push_back({name, kRight + from * kStepRight + row * kRow + f / 2 % 2 * kFragment, b});
    body.push_back(load_at(name, kHalf, after(kB, f)));
  }
  for (unsigned f = 0; f < 4; ++f)
    body.push_back(instruction(Pipe::kInt, after(kPacked, f), {after(kB, 2 * f), after(kB, 2 * f + 1)}));
  for (unsigned half = 0; half < 2; ++half) {
    const std::uint8_t c = after(kC, half), packed = after(kPacked, 2 * half);
    body.push_back(instruction(Pipe::kTensor, c, {after(kA, 2 * half), packed, after(packed, 1), c}));
  }
  end_pass(body);
  spec.body = {loop(steps, body)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

struct PlacementPoint {
  std::string gpu, kernel, beside;  ///< "gemv" or "gemm", "alone" or "together"
  unsigned sms = 0;

  bool together() const { return beside == "together"; }
  /// Key of its run: kernels that run together share one.
  std::tuple<std::string, std::string, unsigned> run() const { return {gpu, together() ? "both" : kernel, sms}; }
  std::string key() const { return fmt::format("{}.{}_{}.{}", gpu, kernel, beside, sms); }
  std::string title() const {
    return fmt::format("{}: {} {} on {} SMs (ms)", gpu, kernel == "gemv" ? "GEMV" : "GEMM", beside, sms);
  }
};

/// "orin.gemv_alone.6"
PlacementPoint placement_point(const std::string& key) {
  const std::size_t kernel = key.find('.') + 1, beside = key.find('_', kernel) + 1, sms = key.rfind('.') + 1;
  if (kernel > 0 && beside > kernel && sms > beside) {
    PlacementPoint point{key.substr(0, kernel - 1), key.substr(kernel, beside - kernel - 1),
                         key.substr(beside, sms - beside - 1), parse_number<unsigned>(key.substr(sms)).value()};
    const bool is_one =
        (point.kernel == "gemv" || point.kernel == "gemm") && (point.beside == "alone" || point.together());
    if (is_one) return point;
  }
  throw InputError(fmt::format("{}: '{}', but it takes gemv_alone, gemm_alone, gemv_together and gemm_together",
                               measured_file("placement"), key));
}

std::vector<PlacementPoint> points_of_placement(const std::vector<std::string>& keys) {
  std::vector<PlacementPoint> points;
  for (const std::string& key : keys) points.push_back(placement_point(key));
  const auto order = [](const PlacementPoint& p) { return std::tie(p.gpu, p.beside, p.kernel, p.sms); };
  std::sort(points.begin(), points.end(),
            [&](const PlacementPoint& a, const PlacementPoint& b) { return order(a) < order(b); });
  return points;
}

/// A short run followed by a long one, over different memory; the GEMV is launched first.
Run run_of_placement(const PlacementPoint& point, const std::vector<unsigned>& steps) {
  Run run{experiment_gpu(point.gpu), workload_of_streams(2)};
  run.keep_blocks = false;
  unsigned from = 0;
  for (unsigned phase = 0; phase < steps.size(); ++phase) {
    const auto add = [&](StreamId stream, std::shared_ptr<Kernel> kernel) {
      const std::size_t id = launch(run.workload, stream, std::move(kernel), 0, phase);
      run.workload.launches[id].sms = all_sms(point.sms);
    };
    if (point.together() || point.kernel == "gemv") add(0, placement_gemv(from, steps[phase]));
    if (point.together() || point.kernel == "gemm") add(1, placement_gemm(from, steps[phase]));
    from += steps[phase];
  }
  return run;
}

/// Time from the start of the first kernel in its phase, scaled to the whole kernel.
double ms_of_placement(const PlacementPoint& point, const Run& run, const RunResult& result,
                       const std::vector<unsigned>& steps) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  std::vector<double> cycles;
  for (unsigned phase = 0; phase < steps.size(); ++phase) {
    Cycle begin = kNever, end = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      if (run.workload.launches[i].phase != phase) continue;
      begin = std::min(begin, outcomes[i].first_block);
      if (run.workload.launches[i].kernel->name == point.kernel) end = outcomes[i].end;
    }
    cycles.push_back(static_cast<double>(end - begin));
  }
  const double of_step = (cycles.at(1) - cycles.at(0)) / (steps.at(1) - steps.at(0));
  return of_step * kStepsOfPlacement / run.config.core_mhz / 1000;
}

std::vector<Measurement> measurements_of_placement() {
  const Reference silicon = measured_values("placement");
  return measurements_of(points_of_placement(silicon.keys()), silicon);
}

ExperimentReport placement(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("placement");
  const std::vector<unsigned> steps = all.numbers("steps");
  const auto points = points_of_placement(chosen_points(all, silicon));
  RunSet<std::tuple<std::string, std::string, unsigned>> runs;
  std::set<std::tuple<std::string, std::string, unsigned>> added;
  for (const PlacementPoint& p : points) {
    if (added.insert(p.run()).second) runs.add(p.run(), run_of_placement(p, steps));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"kernel"},
               {"beside"},
               {"who"},
               {"sms", "SMs", "that both kernels may use"},
               {"ms", "ms", "from launch to end", "ms", 3}});
  for (const PlacementPoint& p : points) {
    const double ours = ms_of_placement(p, runs.request(p.run()), runs.result(p.run()), steps);
    table.add({p.gpu, p.kernel, p.beside, "model", p.sms, ours});
    table.add({p.gpu, p.kernel, p.beside, "silicon", p.sms, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 3), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  report.charts = {{line_chart(table, {"sms", "ms", {"beside", "who"}, "kernel", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/placement", placement, {"points", "steps"});
  measurements().add({{"silicon/placement"}, measurements_of_placement});
}

}  // namespace
}  // namespace gputlm
