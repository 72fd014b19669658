/// A GEMV and a GEMM on the same SMs, by their number, compared with measurements on real GPUs (measured/placement.yaml): the
/// SMs on which the second begins while the first has blocks.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "models/work_distributor/kernel_order.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/experiments/silicon/placement_kernels.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

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

Reference measured_placement() { return {measured("placement"), measured_file("placement")}; }

/// "orin.gemv_alone.6"
PlacementPoint placement_point(const std::string& key) {
  const std::size_t kernel = key.find('.') + 1, beside = key.find('_', kernel) + 1, sms = key.rfind('.') + 1;
  if (kernel > 0 && beside > kernel && sms > beside) {
    const PlacementPoint point{key.substr(0, kernel - 1), key.substr(kernel, beside - kernel - 1),
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
  const Reference silicon = measured_placement();
  std::vector<Measurement> all;
  for (const PlacementPoint& p : points_of_placement(silicon.keys()))
    all.push_back({p.gpu, p.title(), silicon.at(p.key()), silicon.place(p.key())});
  return all;
}

ExperimentReport placement(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_placement();
  const std::vector<unsigned> steps = all.numbers("steps");
  const std::vector<std::string> names = all.values("points");
  const auto points = points_of_placement(names == std::vector<std::string>{"all"} ? silicon.keys() : names);
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
