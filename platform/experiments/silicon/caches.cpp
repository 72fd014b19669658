/// Read bandwidth of the caches, compared with measurements on real GPUs (measured/caches.yaml).
#include <fmt/format.h>

#include <set>

#include "platform/experiments/silicon/cache_points.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/experiment.h"
#include "platform/lab/figure.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

CacheReading reading_of(const Study& all) {
  return {Adds::kDoubles, L2Reading{}.pieces, all.numbers("l1_sweeps"), all.numbers("l2_waves")};
}

/// A point with a measurement.
struct MeasuredPoint : CachePoint {
  /// "l1.volta80.64"
  std::string key() const { return fmt::format("{}.{}.{}", cache, gpu, kib); }
  std::string title() const { return fmt::format("{}, {}: {} KiB (GB/s)", is_l1() ? "L1" : "L2", gpu, kib); }
};

std::set<MeasuredPoint> points_named(const std::vector<std::string>& keys) {
  std::set<MeasuredPoint> points;
  for (const std::string& key : keys) {
    const std::size_t gpu = key.find('.') + 1, kib = key.rfind('.') + 1;
    points.insert(
        {{key.substr(0, gpu - 1), key.substr(gpu, kib - gpu - 1), parse_number<unsigned>(key.substr(kib)).value()}});
  }
  return points;
}

/// Throws InputError for a point that the kernels cannot measure exactly.
void check(const MeasuredPoint& point, const CacheReading& reading) {
  const Bytes l1_kib = kL1Steps / 1024, l2_kib = reading.l2_part() / 1024;
  if ((point.is_l1() || point.cache == "l2") && point.kib > 0 && point.kib % (point.is_l1() ? l1_kib : l2_kib) == 0)
    return;
  throw InputError(fmt::format("{}: '{}', but it takes l1 and multiples of {} KiB, or l2 and multiples of {} KiB",
                               measured_file("caches"), point.key(), l1_kib, l2_kib));
}

std::vector<Measurement> measurements_of_caches() {
  const Reference silicon = measured_values("caches");
  return measurements_of(points_named(silicon.keys()), silicon);
}

ExperimentReport caches(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_values("caches");
  const CacheReading reading = reading_of(all);
  RunSet<MeasuredPoint> runs;
  for (const MeasuredPoint& p : points_named(chosen_points(all, silicon))) {
    check(p, reading);
    runs.add(p, reading.run(p));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"cache"},
               {"gpu"},
               {"who"},
               {"kib", "KiB", "read again and again"},
               {"gb_per_s", "GB/s", "bandwidth of reading", "GB/s", 0}});
  for (const MeasuredPoint& p : runs.keys()) {
    const double ours = reading.gb_per_s(p, runs.request(p), runs.result(p));
    table.add({p.cache, p.gpu, "model", p.kib, ours});
    table.add({p.cache, p.gpu, "silicon", p.kib, silicon.number(p.key())});
    report.figures.push_back({p.title(), silicon.at(p.key()), Quantity::number(ours, 0), silicon_band(), ""});
  }
  report.tables = {{"", table}};
  report.charts = {{line_chart(table, {"kib", "gb_per_s", {"gpu", "who"}, "cache", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/caches", caches, {"points", "l1_sweeps", "l2_waves"});
  measurements().add({{"silicon/caches"}, measurements_of_caches});
}

}  // namespace
}  // namespace gputlm
