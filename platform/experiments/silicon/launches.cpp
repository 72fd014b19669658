/// Chains of small kernels, one after the other, compared with measurements on real GPUs (measured/launches.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "models/kernel/program_kernel.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

struct LaunchPoint {
  std::string gpu;
  std::uint64_t doubles = 0;
  std::uint32_t block = 0;

  bool operator<(const LaunchPoint& other) const {
    return std::tie(gpu, doubles, block) < std::tie(other.gpu, other.doubles, other.block);
  }
  std::string key() const { return fmt::format("{}.{}.{}", gpu, doubles, block); }
  std::string title() const { return fmt::format("{}: {} doubles, blocks of {} (us a launch)", gpu, doubles, block); }
};

/// "a100.4096.256"
std::vector<LaunchPoint> points_of_launches(const std::vector<std::string>& keys) {
  std::vector<LaunchPoint> points;
  for (const std::string& key : keys) {
    const std::size_t doubles = key.find('.') + 1, block = key.rfind('.') + 1;
    points.push_back({key.substr(0, doubles - 1),
                      parse_number<std::uint64_t>(key.substr(doubles, block - doubles - 1)).value(),
                      parse_number<std::uint32_t>(key.substr(block)).value()});
  }
  std::sort(points.begin(), points.end());
  return points;
}

/// Reads a quarter of the data at `from` and writes it to `to`.
std::shared_ptr<Kernel> quarter(const LaunchPoint& point, Address from, Address to) {
  constexpr std::uint8_t kDouble = 8, kLoaded = 4, kProduct = 6;
  ProgramSpec spec;
  spec.name = "quarter";
  spec.grid = {static_cast<std::uint32_t>(point.doubles / point.block + 1)};
  spec.block = {point.block};
  spec.registers_per_thread = 16;
  spec.patterns = {{"from", from, CoalescedPattern{}}, {"to", to, CoalescedPattern{}}};
  spec.body = {instructions(Pipe::kInt, 3), load("from", kDouble, kLoaded),
               instruction(Pipe::kFp64, kProduct, {kLoaded}), store("to", kDouble, {kProduct})};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Run run_of_launches(const LaunchPoint& point, unsigned launches) {
  Run run{experiment_gpu(point.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  constexpr Address kA = 0x1'0000'0000, kB = 0x1'4000'0000;
  const auto there = quarter(point, kB, kA), back = quarter(point, kA, kB);
  for (unsigned i = 0; i < launches; ++i) launch(run.workload, 0, i % 2 == 0 ? there : back);
  return run;
}

/// Difference of the ends of chains of the two lengths.
double us_of_launch(const Run& run, const RunResult& result, const std::vector<unsigned>& launches) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const Cycle shorter = outcomes.at(launches.at(0) - 1).end, longer = outcomes.at(launches.at(1) - 1).end;
  return static_cast<double>(longer - shorter) / (launches.at(1) - launches.at(0)) / run.config.core_mhz;
}

std::vector<Measurement> measurements_of_launches() {
  const Reference silicon = measured_values("launches");
  return measurements_of(points_of_launches(silicon.keys()), silicon);
}

ExperimentReport launches(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("launches");
  const std::vector<unsigned> chains = all.numbers("launches");
  RunSet<LaunchPoint> runs;
  for (const LaunchPoint& p : points_of_launches(chosen_points(all, silicon)))
    runs.add(p, run_of_launches(p, chains.at(1)));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"doubles"},
               {"who"},
               {"block", "threads", "of a block"},
               {"us", "us", "from launch to launch", "us", 2}});
  for (const LaunchPoint& p : runs.keys()) {
    const double ours = us_of_launch(runs.request(p), runs.result(p), chains);
    table.add({p.gpu, p.doubles, "model", p.block, ours});
    table.add({p.gpu, p.doubles, "silicon", p.block, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 2), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  report.charts = {{line_chart(table, {"block", "us", {"doubles", "who"}, "gpu", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/launches", launches, {"points", "launches"});
  measurements().add({{"silicon/launches"}, measurements_of_launches});
}

}  // namespace
}  // namespace gputlm
