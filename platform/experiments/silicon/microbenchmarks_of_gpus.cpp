/// Microbenchmarks of real GPUs (reference.yaml) compared with the model. Each figure must be within 10 % of the published
/// value, or of the range of values if there are several.
#include <fmt/format.h>

#include <optional>

#include "platform/experiments/silicon/measured.h"
#include "platform/experiments/silicon/microbenchmarks.h"
#include "platform/experiments/silicon/published.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr double kMargin = 0.10;
constexpr Bytes kMiB = Bytes{1} << 20;

struct SiliconRun {
  std::string gpu;
  bool bandwidth;
  bool operator<(const SiliconRun& other) const {
    return std::tie(gpu, bandwidth) < std::tie(other.gpu, other.bandwidth);
  }
};

std::string name_of_figure(const std::string& gpu, const Microbenchmark& benchmark) {
  return fmt::format("{}: {}", gpu, benchmark.name);
}

ExperimentReport microbenchmarks_of_gpus(const Study& all, const ExperimentOptions& options) {
  const std::vector<std::string> gpus = all.gpus();
  const Bytes bytes = all.number("mib") * kMiB;
  RunSet<SiliconRun> runs;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu);
    runs.add({gpu, false}, latency_run(config));
    runs.add({gpu, true}, bandwidth_run(config, bytes));
  }
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"microbenchmark"}, {"gpu"}, {"value", "", "", "", 1}});
  for (const std::string& gpu : gpus) {
    const GpuConfig& config = runs.request({gpu, true}).config;
    std::vector<double> values = latencies(runs.result({gpu, false}), config);
    for (const double value : bandwidths(runs.result({gpu, true}), config, bytes)) values.push_back(value);
    for (std::size_t b = 0; b < values.size(); ++b) {
      const Microbenchmark& benchmark = microbenchmarks()[b];
      table.add({benchmark.name, gpu, values[b]});
      if (const std::optional<Published> measured = published(gpu, benchmark.key)) {
        report.figures.push_back({name_of_figure(gpu, benchmark), measured->quantity(), Quantity::number(values[b], 1),
                                  measured->band(kMargin), measured->place()});
      }
    }
  }
  report.tables = {{"Microbenchmarks on the model", pivot(table, {"microbenchmark"}, "gpu", {"value"})}};
  return report;
}

std::vector<Measurement> measurements_of_microbenchmarks() {
  std::vector<Measurement> all;
  const Study all_gpus = plan("silicon/microbenchmarks");
  for (const std::string& gpu : all_gpus.gpus()) {
    for (const Microbenchmark& benchmark : microbenchmarks()) {
      if (const std::optional<Published> silicon = published(gpu, benchmark.key))
        all.push_back({gpu, name_of_figure(gpu, benchmark), silicon->quantity(), silicon->place()});
    }
  }
  return all;
}

GPUTLM_REGISTER {
  add_experiment("silicon/microbenchmarks", microbenchmarks_of_gpus, {"mib"});
  measurements().add({{"silicon/microbenchmarks"}, measurements_of_microbenchmarks});
}

}  // namespace
}  // namespace gputlm
