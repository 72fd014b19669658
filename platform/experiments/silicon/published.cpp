/// Microbenchmarks of real GPUs (reference.yaml) beside the same on the model. Each figure has to be within 10 % of
/// what was published; where several have measured it, of the range of what they found.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "platform/experiments/silicon/microbenchmarks.h"
#include "platform/lab/plan.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"
#include "platform/lab/table_views.h"

namespace gputlm {
namespace {

constexpr double kMargin = 0.10;
constexpr Bytes kMiB = Bytes{1} << 20;

/// What was measured of one quantity of one GPU.
struct Published {
  std::vector<double> values;
  std::vector<std::string> places;

  Quantity quantity() const {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least == *most ? Quantity::number(*least, 1) : Quantity(fmt::format("{} to {}", *least, *most));
  }
  Band band() const {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return Band::range((1 - kMargin) * *least, (1 + kMargin) * *most, 1)
        .named(values.size() == 1 ? "within 10 % of it" : "within 10 % of these");
  }
};

std::optional<Published> published(const std::string& gpu, const std::string& benchmark) {
  const Reference& reference = gputlm::reference("silicon");
  const std::string prefix = fmt::format("{}.{}.", gpu, benchmark);
  Published all;
  for (const std::string& key : reference.keys()) {
    if (key.rfind(prefix, 0) != 0) continue;
    all.values.push_back(reference.number(key));
    all.places.push_back(reference.place(key));
  }
  if (all.values.empty()) return std::nullopt;
  return all;
}

struct SiliconRun {
  std::string gpu;
  bool bandwidth;
  bool operator<(const SiliconRun& other) const {
    return std::tie(gpu, bandwidth) < std::tie(other.gpu, other.bandwidth);
  }
};

ExperimentReport microbenchmarks_of_gpus(const ExperimentOptions& options) {
  const Plan all = plan("silicon/microbenchmarks", options);
  const std::vector<std::string> gpus = all.values("gpu");
  const Bytes bytes = all.number("mib") * kMiB;
  Sweep<SiliconRun> sweep;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu);
    sweep.add({gpu, false}, latency_run(config));
    sweep.add({gpu, true}, bandwidth_run(config, bytes));
  }
  sweep.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"microbenchmark"}, {"gpu"}, {"value", "", "", "", 1}});
  for (const std::string& gpu : gpus) {
    const GpuConfig& config = sweep.request({gpu, true}).config;
    std::vector<double> values = latencies(sweep.result({gpu, false}), config);
    for (const double value : bandwidths(sweep.result({gpu, true}), config, bytes)) values.push_back(value);
    for (std::size_t b = 0; b < values.size(); ++b) {
      const Microbenchmark& benchmark = microbenchmarks()[b];
      table.add({benchmark.name, gpu, values[b]});
      if (const std::optional<Published> measured = published(gpu, benchmark.key)) {
        report.figures.push_back({fmt::format("{}: {}", gpu, benchmark.name), measured->quantity(),
                                  Quantity::number(values[b], 1), measured->band(),
                                  fmt::format("{}", fmt::join(measured->places, "; "))});
      }
    }
  }
  report.tables = {{"Microbenchmarks on the model", pivot(table, {"microbenchmark"}, "gpu", {"value"})}};
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"silicon/microbenchmarks"},
                     "Latencies and bandwidths of real GPUs, as microbenchmarks measure them",
                     microbenchmarks_of_gpus});
}

}  // namespace
}  // namespace gputlm
