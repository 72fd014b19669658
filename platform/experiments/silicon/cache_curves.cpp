/// Read bandwidth of the caches of any GPU. No measurement judges it; silicon/caches has points that measurements do.
#include <algorithm>

#include "platform/experiments/silicon/cache_points.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

/// The multiple of `part` that is closest to this share of `whole`.
unsigned kib_of_share(Bytes whole, unsigned percent, Bytes part) {
  return static_cast<unsigned>(std::max<Bytes>(1, (whole * percent / 100 + part / 2) / part) * part / 1024);
}

ExperimentReport cache_curves(const Study& all, const ExperimentOptions& options) {
  // The FP64 pipes of some GPUs would be the bottleneck, and a small L2 is a multiple of small parts only.
  const CacheReading reading{Adds::kFloats, 8, all.numbers("l1_sweeps"), all.numbers("l2_waves")};
  RunSet<CachePoint> runs;
  const auto add = [&](const CachePoint& point) {
    if (!runs.has(point)) runs.add(point, reading.run(point));  // sizes of a small L2 may be the same multiple
  };
  for (const std::string& gpu : all.gpus()) {
    const GpuConfig config = experiment_gpu(gpu);
    for (const unsigned kib : all.numbers("l1_kib")) add({"l1", gpu, kib});
    if (!config.l2.enabled) continue;
    for (const unsigned percent : all.numbers("l2_percent"))
      add({"l2", gpu, kib_of_share(config.l2.bytes, percent, reading.l2_part())});
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"cache"},
               {"gpu"},
               {"kib", "KiB", "read again and again"},
               {"gb_per_s", "GB/s", "bandwidth of reading", "GB/s", 0}});
  for (const CachePoint& p : runs.keys())
    table.add({p.cache, p.gpu, p.kib, reading.gb_per_s(p, runs.request(p), runs.result(p))});
  report.tables = {{"GB/s by KiB that a block of each SM reads again and again",
                    pivot(lines_with(table, "cache", "l1"), {"gpu"}, "kib", {"gb_per_s"}), "l1"},
                   {"", table}};
  report.charts = {{line_chart(table, {"kib", "gb_per_s", {"gpu"}, "cache", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("silicon/cache-curves", cache_curves, {"l1_kib", "l2_percent", "l1_sweeps", "l2_waves"});
}

}  // namespace
}  // namespace gputlm
