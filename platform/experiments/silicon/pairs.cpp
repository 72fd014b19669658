/// Two kernels in turn, in one stream or in two, compared with measurements on real GPUs (measured/pairs.yaml).
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "models/kernel/program_kernel.h"
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

constexpr unsigned kPairsOfFrame = 50;
constexpr std::uint32_t kBlockOfPair = 256;

struct PairPoint {
  std::string gpu, streams;  ///< "one_stream" or "two_streams"
  std::uint32_t pixels = 0;

  bool two() const { return streams == "two_streams"; }
  bool operator<(const PairPoint& other) const {
    return std::tie(gpu, pixels, streams) < std::tie(other.gpu, other.pixels, other.streams);
  }
  std::string key() const { return fmt::format("{}.{}.{}", gpu, streams, pixels); }
  std::string title() const {
    return fmt::format("{}, {} pixels: {} (ms a frame)", gpu, pixels, two() ? "two streams" : "a stream");
  }
  PairPoint with(const std::string& other_streams) const { return {gpu, other_streams, pixels}; }
  std::string ratio_title() const { return fmt::format("{}, {} pixels: two streams over a stream", gpu, pixels); }
};

/// The gain of a second stream; `two`: the point with it.
Quantity ratio_of_streams(const Reference& silicon, const PairPoint& two) {
  return Quantity::number(ratio(silicon.number(two.key()), silicon.number(two.with("one_stream").key())), 3);
}

/// "a10g.one_stream.921600"
std::vector<PairPoint> points_of_pairs(const std::vector<std::string>& keys) {
  std::vector<PairPoint> points;
  for (const std::string& key : keys) {
    if (key.find(".core_mhz") != std::string::npos) continue;
    const std::size_t streams = key.find('.') + 1, pixels = key.rfind('.') + 1;
    PairPoint point{key.substr(0, streams - 1), key.substr(streams, pixels - streams - 1),
                    parse_number<std::uint32_t>(key.substr(pixels)).value()};
    if (point.streams != "one_stream" && !point.two())
      throw InputError(fmt::format("{}: '{}', but it takes one_stream or two_streams", measured_file("pairs"), key));
    points.push_back(std::move(point));
  }
  std::sort(points.begin(), points.end());
  return points;
}

std::shared_ptr<Kernel> copy_of_pair(std::uint32_t pixels) {
  CorunKernel copy;
  copy.grid = std::min(pixels / kBlockOfPair, 2048u);
  copy.block = kBlockOfPair;
  copy.bytes = Bytes{pixels} * sizeof(float);
  return corun_kernel(copy, {}, 0x1'0000'0000);
}

/// A load, 100 iterations, unrolled by 8 as a compiler does, and a store.
std::shared_ptr<Kernel> arithmetic_of_pair(std::uint32_t pixels) {
  constexpr unsigned kIterations = 100, kTogether = 8, kChain = 4;
  constexpr std::uint8_t kValue = 4, kCount = 8, kTest = 10;
  ProgramSpec spec;
  spec.name = "arithmetic";
  spec.grid = {pixels / kBlockOfPair};
  spec.block = {kBlockOfPair};
  spec.registers_per_thread = 16;
  spec.patterns = {{"in", 0x2'0000'0000, CoalescedPattern{}}, {"out", 0x3'0000'0000, CoalescedPattern{}}};
  std::vector<ProgramElement> body;
  for (unsigned i = 0; i < kTogether * kChain; ++i) body.push_back(instruction(Pipe::kFp32, kValue, {kValue}));
  body.push_back(instruction(Pipe::kInt, kCount, {kCount}));
  body.push_back(instruction(Pipe::kInt, kTest, {kCount}));
  body.push_back(instruction(Pipe::kControl, {}, {kTest}));
  const std::vector<ProgramElement> rest(body.begin(), body.begin() + kIterations % kTogether * kChain);
  spec.body = {instructions(Pipe::kInt, 3), load("in", sizeof(float), kValue), loop(kIterations / kTogether, body)};
  spec.body.insert(spec.body.end(), rest.begin(), rest.end());
  spec.body.push_back(store("out", sizeof(float), {kValue}));
  return std::make_shared<ProgramKernel>(spec, 0);
}

Run run_of_pairs(const PairPoint& point, const std::string& core_mhz, const std::vector<unsigned>& pairs) {
  Run run{experiment_gpu(point.gpu, {{"core_mhz", core_mhz}}), workload_of_streams(2)};
  run.keep_blocks = false;
  const auto copy = copy_of_pair(point.pixels), arithmetic = arithmetic_of_pair(point.pixels);
  for (unsigned phase = 0; phase < pairs.size(); ++phase) {
    for (unsigned i = 0; i < pairs[phase]; ++i) {
      launch(run.workload, 0, copy, 0, phase);
      launch(run.workload, point.two() ? 1 : 0, arithmetic, 0, phase);
    }
  }
  return run;
}

double ms_of_frame(const Run& run, const RunResult& result, const std::vector<unsigned>& pairs) {
  const std::vector<Cycle> phases = times_of_phases(run.workload, result);
  const double cycles = static_cast<double>(phases.at(1)) - static_cast<double>(phases.at(0));
  return cycles / (pairs.at(1) - pairs.at(0)) * kPairsOfFrame / run.config.core_mhz / 1000;
}

std::vector<Measurement> measurements_of_pairs() {
  const Reference silicon = measured_values("pairs");
  std::vector<Measurement> all;
  for (const PairPoint& p : points_of_pairs(silicon.keys())) {
    all.push_back({p.gpu, p.title(), silicon.at(p.key()), silicon.place(p.key())});
    if (p.two()) all.push_back({p.gpu, p.ratio_title(), ratio_of_streams(silicon, p), silicon.place(p.key())});
  }
  return all;
}

ExperimentReport pairs_of_kernels(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("pairs");
  const std::vector<unsigned> pairs = all.numbers("pairs");
  RunSet<PairPoint> runs;
  for (const PairPoint& p : points_of_pairs(chosen_points(all, silicon)))
    runs.add(p, run_of_pairs(p, silicon.text(p.gpu + ".core_mhz"), pairs));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"gpu"},
               {"pixels"},
               {"streams"},
               {"ms", "ms", "Time of a frame", "ms", 3},
               {"measured_ms", "ms", "Measured time of a frame", "ms", 3}});
  for (const PairPoint& p : runs.keys()) {
    const double ours = ms_of_frame(runs.request(p), runs.result(p), pairs);
    table.add({p.gpu, p.pixels, p.two() ? 2 : 1, ours, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 3), silicon_band(), ""});
    const PairPoint one = p.with("one_stream");
    if (!p.two() || !runs.has(one)) continue;
    const double over = ratio(ours, ms_of_frame(runs.request(one), runs.result(one), pairs));
    report.figures.push_back(
        {p.ratio_title(), ratio_of_streams(silicon, p), Quantity::number(over, 3), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/pairs", pairs_of_kernels, {"points", "pairs"});
  measurements().add({{"silicon/pairs"}, measurements_of_pairs});
}

}  // namespace
}  // namespace gputlm
