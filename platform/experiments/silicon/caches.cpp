/// Read bandwidth of the caches by the size of repeatedly read data, compared with measurements on real GPUs
/// (measured/caches.yaml), and the same curves for other GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "platform/experiments/silicon/cache_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

constexpr Bytes kKib = 1024;

/// A point of a curve.
struct Point {
  std::string cache, gpu;  ///< "l1" or "l2"
  unsigned kib = 0;
  bool judged = true;

  bool is_l1() const { return cache == "l1"; }
  std::string key() const { return fmt::format("{}.{}.{}", cache, gpu, kib); }
  std::string title() const { return fmt::format("{}, {}: {} KiB (GB/s)", is_l1() ? "L1" : "L2", gpu, kib); }
  /// Judged points come first: they take the least time.
  bool operator<(const Point& other) const {
    return std::tie(other.judged, cache, gpu, kib) < std::tie(judged, other.cache, other.gpu, other.kib);
  }
};

/// "l1.volta80.64"
Point point_of(const std::string& key) {
  const std::size_t gpu = key.find('.') + 1, kib = key.rfind('.') + 1;
  return {key.substr(0, gpu - 1), key.substr(gpu, kib - gpu - 1), parse_number<unsigned>(key.substr(kib)).value()};
}

/// Blocks of a curve that is not judged read less each, in parts that also divide a small L2.
L2Reading reading_of(const Point& point) {
  L2Reading reading{point.kib * kKib};
  if (!point.judged) reading.pieces = 8;
  return reading;
}

Run run_of_point(const GpuConfig& gpu, const Point& point, const std::vector<unsigned>& amounts) {
  Run run{gpu, workload_of_streams(1)};
  run.keep_blocks = false;
  const Adds adds =
      point.judged ? Adds::kDoubles : Adds::kFloats;  // the FP64 pipes of some GPUs would be the bottleneck
  const L2Reading reading = reading_of(point);
  for (std::size_t i = 0; i < amounts.size(); ++i) {
    std::uint32_t blocks = amounts[i] * l2_readers_at_once(gpu);
    if (i == 0) blocks = std::max(blocks, reading.different_blocks());
    launch(run.workload, 0,
           point.is_l1() ? l1_reader(gpu, point.kib * kKib, amounts[i], adds) : l2_reader(blocks, reading, adds));
  }
  return run;
}

double gb_per_s_of_point(const Run& run, const RunResult& result, const Point& point,
                         const std::vector<unsigned>& amounts) {
  const GpuConfig& gpu = run.config;
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const double cycles = static_cast<double>(outcomes.at(2).time()) - static_cast<double>(outcomes.at(1).time());
  const Bytes of_one =
      point.is_l1() ? point.kib * kKib * gpu.sms : reading_of(point).bytes_of_block() * l2_readers_at_once(gpu);
  return static_cast<double>(of_one * (amounts.at(2) - amounts.at(1))) / cycles * gpu.core_mhz / 1000;
}

/// Throws InputError for a point that the kernels cannot measure exactly.
void check(const Point& point) {
  const unsigned multiple = point.is_l1() ? kL1Steps / kKib : kL2Piece * reading_of(point).pieces / kKib;
  if ((point.is_l1() || point.cache == "l2") && point.kib > 0 && point.kib % multiple == 0) return;
  throw InputError(fmt::format("{}: '{}', but it takes l1 and multiples of {} KiB, or l2 and multiples of {} KiB",
                               measured_file("caches"), point.key(), kL1Steps / kKib, kL2Piece * 32 / kKib));
}

/// Those that are judged, and those that are only shown.
std::set<Point> points_of(const Study& all, const Reference& silicon) {
  std::set<Point> points;
  const std::vector<std::string> names = all.values("points");
  for (const std::string& key : names == std::vector<std::string>{"all"} ? silicon.keys() : names)
    check(*points.insert(point_of(key)).first);
  for (const std::string& gpu : all.values("curves_of")) {
    const GpuConfig config = experiment_gpu(gpu);
    for (const unsigned kib : all.numbers("curve_l1_kib")) points.insert({"l1", gpu, kib, false});
    if (!config.l2.enabled) continue;
    const Bytes part = reading_of({"l2", gpu, 0, false}).pieces * kL2Piece;
    for (const unsigned percent : all.numbers("curve_l2_percent")) {
      const Bytes bytes = std::max<Bytes>(1, (config.l2.bytes * percent / 100 + part / 2) / part) * part;
      points.insert({"l2", gpu, static_cast<unsigned>(bytes / kKib), false});
    }
  }
  return points;
}

Reference measured_caches() { return {measured("caches"), measured_file("caches")}; }

std::vector<Measurement> measurements_of_caches() {
  const Reference silicon = measured_caches();
  std::set<Point> points;
  for (const std::string& key : silicon.keys()) points.insert(point_of(key));
  std::vector<Measurement> all;
  for (const Point& p : points) all.push_back({p.gpu, p.title(), silicon.at(p.key()), silicon.place(p.key())});
  return all;
}

ExperimentReport caches(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_caches();
  const auto amounts = [&](const Point& p) {
    return all.numbers((p.judged ? "" : "curve_") + p.cache + (p.is_l1() ? "_sweeps" : "_waves"));
  };
  RunSet<Point> runs;
  for (const Point& p : points_of(all, silicon)) runs.add(p, run_of_point(experiment_gpu(p.gpu), p, amounts(p)));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  const std::vector<TableColumn> columns{{"cache"},
                                         {"gpu"},
                                         {"who"},
                                         {"kib", "KiB", "read again and again"},
                                         {"gb_per_s", "GB/s", "bandwidth of reading", "GB/s", 0}};
  Table judged(columns), shown(columns);
  for (const Point& p : runs.keys()) {
    const double ours = gb_per_s_of_point(runs.request(p), runs.result(p), p, amounts(p));
    (p.judged ? judged : shown).add({p.cache, p.gpu, "model", p.kib, ours});
    if (!p.judged) continue;
    judged.add({p.cache, p.gpu, "silicon", p.kib, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 0), silicon_band(), ""});
  }
  report.tables = {{"", judged}};
  report.charts = {{line_chart(judged, {"kib", "gb_per_s", {"gpu", "who"}, "cache", true})}};
  if (!shown.rows().empty()) {
    report.tables.push_back({"GB/s by KiB that a block of each SM reads again and again",
                             pivot(lines_with(shown, "cache", "l1"), {"gpu"}, "kib", {"gb_per_s"}), "l1-of-all"});
    report.tables.push_back({"", shown, "of-all"});
    report.charts.push_back({line_chart(shown, {"kib", "gb_per_s", {"gpu"}, "cache", true}), "of-all"});
  }
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/caches", caches,
                 {"points", "l1_sweeps", "l2_waves", "curves_of", "curve_l1_kib", "curve_l2_percent", "curve_l1_sweeps",
                  "curve_l2_waves"});
  measurements().add({{"silicon/caches"}, measurements_of_caches});
}

}  // namespace
}  // namespace gputlm
