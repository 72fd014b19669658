/// Figure 8 of cuda-hierarchy (section V-A): what a kernel suffers from a process that uses the copy engine, by the kernel's
/// footprint. The kernel is that of figure 7; what is measured is its response time, from the host's call to its
/// knowledge of the end, since it is the host's part of it that makes small kernels suffer less.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "platform/experiments/cuda_hierarchy/interferer.h"
#include "platform/experiments/cuda_hierarchy/vector_add.h"
#include "platform/experiments/experiments.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

constexpr Bytes kInterfererBytes = 50'000'000;  // section V-A
constexpr double kFlat = 0.03;                  // of a slowdown: the phases of the copies

struct FootprintCase {
  std::string gpu, what;  ///< what: nothing, memcpy or memset
  unsigned kib;
  bool operator<(const FootprintCase& other) const {
    return std::tie(gpu, what, kib) < std::tie(other.gpu, other.what, other.kib);
  }
};

Run footprint_run(const FootprintCase& which, const Matrix& all, const std::optional<unsigned>& launch_us) {
  Run run{experiment_gpu(which.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  run.config.host.call_cycles =
      static_cast<unsigned>(std::lround(launch_us.value_or(all.numbers("launch_us").at(0)) * run.config.core_mhz));
  launch(run.workload, 0, vector_add(vector_add_sample(Bytes{1024} * which.kib), 0x1'0000'0000),
         100 * kMicrosecond);  // when the other has begun
  const Bytes bytes = kInterfererBytes / all.numbers("scale").at(0) / kLineBytes * kLineBytes;
  // Issued ahead, so that the engine is busy all the time.
  if (!which.what.empty()) add_interferer(run.workload, {which.what, bytes, 16});
  return run;
}

}  // namespace

ExperimentReport footprint(const ExperimentOptions& options, const std::optional<unsigned>& launch_us) {
  const Matrix all = matrix("cuda-hierarchy/footprint", options.quick);
  const std::vector<unsigned> sizes = all.numbers("working_set_kib");
  std::vector<std::string> whats = all.values("what");
  Sweep<FootprintCase> sweep;
  for (const std::string& gpu : all.values("gpu")) {
    for (const unsigned kib : sizes) {
      sweep.add({gpu, "", kib}, footprint_run({gpu, "", kib}, all, launch_us));
      for (const std::string& what : whats)
        sweep.add({gpu, what, kib}, footprint_run({gpu, what, kib}, all, launch_us));
    }
  }
  sweep.run(options.jobs());
  const auto response = [&](const FootprintCase& which) {
    const LaunchOutcome kernel = launch_outcomes(sweep.result(which)).at(0);
    return static_cast<double>(kernel.notified - kernel.released);
  };

  const Reference& paper = reference("cuda-hierarchy");
  ExperimentReport report;
  report.text = fmt::format("Response time of the vector add over that alone, by its footprint in KiB\n{:<16}", "");
  for (const unsigned kib : sizes) report.text += fmt::format(" {:>6}", kib);
  report.text += '\n';
  std::string largest;
  LineChart chart;
  for (const std::string& gpu : all.values("gpu")) {
    chart.panels.push_back({"footprint (KiB), " + gpu, "response time over that alone", {}, true});
    for (const std::string& what : whats) {
      LineChart::Line line{what, {}};
      report.text += fmt::format("{:<16}", gpu + ", " + what);
      bool falls = false;
      for (const unsigned kib : sizes) {
        const double now = slowdown(response({gpu, what, kib}), response({gpu, "", kib}));
        report.text += fmt::format(" {:>6.2f}", now);
        falls = falls || (!line.points.empty() && now < (1 - kFlat) * line.points.back().second);
        line.points.emplace_back(kib, now);
      }
      report.text += '\n';
      const double first = line.points.front().second, last = line.points.back().second;
      const bool grows = !falls && last > (1 + kFlat) * first;
      report.figures.push_back({fmt::format("{}: {}, slowdown by the footprint", gpu, what),
                                paper.at("footprint.slowdown"), grows ? "grows" : "does not grow",
                                Band::trend("grows", grows), "rests on the time of a launch, assumed"});
      largest += fmt::format("{:<16} {:>6.2f}\n", gpu + ", " + what,
                             ratio(last, line.points.at(line.points.size() - 2).second));
      chart.panels.back().lines.push_back(std::move(line));
    }
  }
  report.text += fmt::format("Slowdown with {} KiB over that with {}: larger ones are the same\n", sizes.back(),
                             sizes.at(sizes.size() - 2)) +
                 largest;
  if (!options.out.empty()) write_chart(options.out + "/cuda-hierarchy-footprint.svg", chart);
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"cuda-hierarchy/footprint", 205},
                     "What a kernel suffers from copies of another process, by its footprint (section V-A, figure 8)",
                     [](const ExperimentOptions& options) { return footprint(options); }});
}

}  // namespace gputlm
