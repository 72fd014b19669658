/// Bandwidth of reading from the caches by how much is read again and again, beside what was measured on real GPUs:
/// measured/caches.yaml.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "platform/experiments/silicon/cache_kernels.h"
#include "platform/experiments/silicon/measured.h"
#include "platform/lab/plan.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"
#include "platform/lab/table_views.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

constexpr Bytes kKib = 1024;
constexpr unsigned kPieces = 32;  // of a block: 512 KiB

struct Point {
  std::string cache, gpu;  // "l1" or "l2"
  unsigned kib;
  bool operator<(const Point& other) const {
    return std::tie(cache, gpu, kib) < std::tie(other.cache, other.gpu, other.kib);
  }
};

/// A run that brings in what is read, a shorter and a longer one, of which the difference counts.
Run cache_run(const GpuConfig& gpu, const Point& point, const std::vector<unsigned>& amounts) {
  Run run{gpu, workload_of_streams(1)};
  run.keep_blocks = false;
  for (const unsigned amount : amounts) {
    launch(run.workload, 0,
           point.cache == "l1" ? l1_reader(gpu, point.kib * kKib, amount, Adds::kDoubles)
                               : l2_reader(amount * gpu.sms * l2_readers_of_sm(gpu), point.kib * kKib, kPieces,
                                           Adds::kDoubles));
  }
  return run;
}

double bandwidth(const Run& run, const RunResult& result, const Point& point, const std::vector<unsigned>& amounts) {
  const GpuConfig& gpu = run.config;
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const std::size_t last = outcomes.size() - 1;
  const double cycles =
      static_cast<double>(outcomes[last].time()) - static_cast<double>(outcomes[last - 1].time());
  const Bytes of_one = point.cache == "l1" ? point.kib * kKib * gpu.sms
                                           : Bytes{kPieces} * kL2Piece * gpu.sms * l2_readers_of_sm(gpu);
  return static_cast<double>(of_one * (amounts[last] - amounts[last - 1])) / cycles * gpu.core_mhz / 1000;
}

ExperimentReport caches(const ExperimentOptions& options) {
  const Plan all = plan("silicon/caches", options);
  const Reference silicon(measured("caches"), measured_file("caches"));
  std::set<Point> points;
  for (const std::string& key : silicon.keys()) {
    const std::size_t gpu = key.find('.') + 1, kib = key.rfind('.') + 1;
    points.insert({key.substr(0, gpu - 1), key.substr(gpu, kib - gpu - 1),
                   parse_number<unsigned>(key.substr(kib)).value()});
  }
  const auto amounts = [&](const Point& p) { return all.numbers(p.cache == "l1" ? "l1_sweeps" : "l2_waves"); };
  Sweep<Point> sweep;
  for (const Point& point : points) sweep.add(point, cache_run(experiment_gpu(point.gpu), point, amounts(point)));
  sweep.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"cache"},
               {"gpu"},
               {"kib", "KiB", "read again and again"},
               {"who"},
               {"gb_per_s", "GB/s", "bandwidth", "", 0}});
  for (const Point& p : points) {
    const double ours = bandwidth(sweep.request(p), sweep.result(p), p, amounts(p));
    const std::string key = fmt::format("{}.{}.{}", p.cache, p.gpu, p.kib);
    report.figures.push_back({fmt::format("{}, {}: {} KiB (GB/s)", p.cache == "l1" ? "L1" : "L2", p.gpu, p.kib),
                              silicon.at(key), Quantity::number(ours, 0), silicon_band(),
                              ""});
    table.add({p.cache, p.gpu, p.kib, "silicon", silicon.number(key)});
    table.add({p.cache, p.gpu, p.kib, "model", ours});
  }
  report.tables = {{"", table}};
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"silicon/caches"}, "Bandwidth of reading from the caches by how much is read", caches});
}

}  // namespace
}  // namespace gputlm
