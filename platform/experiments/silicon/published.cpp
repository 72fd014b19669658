/// Microbenchmarks of real GPUs (reference.yaml) beside the same on the model. Each figure has to be within 10 % of
/// what was published; where several have measured it, of the range of what they found.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "platform/experiments/experiments.h"
#include "platform/experiments/silicon/microbenchmarks.h"
#include "platform/lab/matrix.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"

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

}  // namespace

ExperimentReport silicon_microbenchmarks(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Matrix all = matrix("silicon/microbenchmarks", options.quick);
  const std::vector<std::string> gpus = all.values("gpu");
  const Bytes bytes = all.numbers("mib").at(0) * kMiB;
  Sweep<SiliconRun> sweep;
  for (const std::string& gpu : gpus) {
    const GpuConfig config = experiment_gpu(gpu, settings);
    sweep.add({gpu, false}, latency_run(config));
    sweep.add({gpu, true}, bandwidth_run(config, bytes));
  }
  sweep.run(options.jobs());

  ExperimentReport report;
  report.text = fmt::format("{:<26}", "");
  std::vector<std::vector<double>> values;
  for (const std::string& gpu : gpus) {
    report.text += fmt::format(" {:>9}", gpu);
    const GpuConfig& config = sweep.request({gpu, true}).config;
    values.push_back(latencies(sweep.result({gpu, false}), config));
    for (const double value : bandwidths(sweep.result({gpu, true}), config, bytes)) values.back().push_back(value);
  }
  report.text += '\n';
  for (std::size_t b = 0; b < microbenchmarks().size(); ++b) {
    const Microbenchmark& benchmark = microbenchmarks()[b];
    report.text += fmt::format("{:<26}", benchmark.name);
    for (const std::vector<double>& of : values) report.text += fmt::format(" {:>9.1f}", of.at(b));
    report.text += '\n';
  }
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    for (std::size_t b = 0; b < microbenchmarks().size(); ++b) {
      const Microbenchmark& benchmark = microbenchmarks()[b];
      const std::optional<Published> measured = published(gpus[g], benchmark.key);
      if (!measured) continue;
      report.figures.push_back({fmt::format("{}: {}", gpus[g], benchmark.name), measured->quantity(),
                                Quantity::number(values[g].at(b), 1), measured->band(),
                                fmt::format("{}", fmt::join(measured->places, "; "))});
    }
  }
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"silicon/microbenchmarks", 701},
                     "Latencies and bandwidths of real GPUs, as microbenchmarks measure them",
                     [](const ExperimentOptions& options) { return silicon_microbenchmarks(options); }});
}

}  // namespace gputlm
