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

/// "l1.volta80.64"
std::string key_of(const CachePoint& point) { return fmt::format("{}.{}.{}", point.cache, point.gpu, point.kib); }

CachePoint point_of(const std::string& key) {
  const std::size_t gpu = key.find('.') + 1, kib = key.rfind('.') + 1;
  return {key.substr(0, gpu - 1), key.substr(gpu, kib - gpu - 1), parse_number<unsigned>(key.substr(kib)).value()};
}

std::string title_of(const CachePoint& point) {
  return fmt::format("{}, {}: {} KiB (GB/s)", point.is_l1() ? "L1" : "L2", point.gpu, point.kib);
}

/// Throws InputError for a point that the kernels cannot measure exactly.
void check(const CachePoint& point, const CacheReading& reading) {
  const Bytes l1_kib = kL1Steps / 1024, l2_kib = reading.l2_part() / 1024;
  if ((point.is_l1() || point.cache == "l2") && point.kib > 0 && point.kib % (point.is_l1() ? l1_kib : l2_kib) == 0)
    return;
  throw InputError(fmt::format("{}: '{}', but it takes l1 and multiples of {} KiB, or l2 and multiples of {} KiB",
                               measured_file("caches"), key_of(point), l1_kib, l2_kib));
}

Reference measured_caches() { return {measured("caches"), measured_file("caches")}; }

std::set<CachePoint> points_named(const std::vector<std::string>& keys) {
  std::set<CachePoint> points;
  for (const std::string& key : keys) points.insert(point_of(key));
  return points;
}

std::vector<Measurement> measurements_of_caches() {
  const Reference silicon = measured_caches();
  std::vector<Measurement> all;
  for (const CachePoint& p : points_named(silicon.keys()))
    all.push_back({p.gpu, title_of(p), silicon.at(key_of(p)), silicon.place(key_of(p))});
  return all;
}

ExperimentReport caches(const Study& all, const ExperimentOptions& options) {
  const Reference silicon = measured_caches();
  const CacheReading reading = reading_of(all);
  const std::vector<std::string> names = all.values("points");
  RunSet<CachePoint> runs;
  for (const CachePoint& p : points_named(names == std::vector<std::string>{"all"} ? silicon.keys() : names)) {
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
  for (const CachePoint& p : runs.keys()) {
    const double ours = reading.gb_per_s(p, runs.request(p), runs.result(p));
    table.add({p.cache, p.gpu, "model", p.kib, ours});
    table.add({p.cache, p.gpu, "silicon", p.kib, silicon.number(key_of(p))});
    report.figures.push_back({title_of(p), silicon.at(key_of(p)), Quantity::number(ours, 0), silicon_band(), ""});
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
