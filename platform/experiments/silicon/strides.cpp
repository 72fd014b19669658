/// Cycles of a load that hits the L1, as a function of the stride of its lanes, compared with measurements on real GPUs
/// (measured/strides.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "platform/experiments/silicon/benchmark_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

struct StridePoint {
  std::string elements, gpu;  ///< "float" or "double"
  unsigned stride = 0;        ///< stride in elements

  bool doubles() const { return elements == "double"; }
  std::string key() const { return fmt::format("{}.{}.{}", elements, gpu, stride); }
  std::string title() const { return fmt::format("{}, {}: stride {} (cycles)", elements, gpu, stride); }
  bool operator<(const StridePoint& other) const {
    return std::tie(elements, gpu, stride) < std::tie(other.elements, other.gpu, other.stride);
  }
};

/// "float.a100.3"
StridePoint stride_point(const std::string& key) {
  const std::size_t gpu = key.find('.') + 1, stride = key.rfind('.') + 1;
  StridePoint point{key.substr(0, gpu - 1), key.substr(gpu, stride - gpu - 1),
                    parse_number<unsigned>(key.substr(stride)).value()};
  if (point.elements == "float" || point.doubles()) return point;
  throw InputError(fmt::format("{}: '{}', but it takes float or double", measured_file("strides"), key));
}

std::vector<StridePoint> points_of_strides(const std::vector<std::string>& keys) {
  std::vector<StridePoint> points;
  for (const std::string& key : keys) points.push_back(stride_point(key));
  std::sort(points.begin(), points.end());
  return points;
}

Run run_of_stride(const StridePoint& point, const std::vector<unsigned>& iterations) {
  Run run{experiment_gpu(point.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  const Adds adds = point.doubles() ? Adds::kDoubles : Adds::kFloats;
  for (const unsigned times : iterations) launch(run.workload, 0, strided_reader(point.stride, times, adds));
  return run;
}

double cycles_of_load(const RunResult& result, const std::vector<unsigned>& iterations) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const double cycles = static_cast<double>(outcomes.at(2).time()) - static_cast<double>(outcomes.at(1).time());
  return cycles / (iterations.at(2) - iterations.at(1)) / kStridedLoads;
}

std::vector<Measurement> measurements_of_strides() {
  const Reference silicon = measured_values("strides");
  return measurements_of(points_of_strides(silicon.keys()), silicon);
}

ExperimentReport strides(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("strides");
  const std::vector<unsigned> iterations = all.numbers("iterations");
  RunSet<StridePoint> runs;
  for (const StridePoint& p : points_of_strides(chosen_points(all, silicon))) runs.add(p, run_of_stride(p, iterations));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"elements"},
               {"gpu"},
               {"who"},
               {"stride", "elements", "from lane to lane"},
               {"cycles", "cycles", "of a warp's load that hits the L1", "cycles", 2}});
  for (const StridePoint& p : runs.keys()) {
    const double ours = cycles_of_load(runs.result(p), iterations);
    table.add({p.elements, p.gpu, "model", p.stride, ours});
    table.add({p.elements, p.gpu, "silicon", p.stride, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 2), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/strides", strides, {"points", "iterations"});
  measurements().add({{"silicon/strides"}, measurements_of_strides});
}

}  // namespace
}  // namespace gputlm
