/// Figure 8 of cuda-hierarchy (section V-A): the slowdown of a kernel by a process that uses the copy engine, over the
/// kernel's footprint. The kernel is that of figure 7. The measured time is the response time, from the host's call until it
/// notices the end, because the host's part is what makes small kernels suffer less.
#include <fmt/format.h>

#include <cmath>

#include "platform/experiments/cuda_hierarchy/kernels.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr Bytes kInterfererBytes = 50'000'000;  // section V-A
constexpr double kFlat = 0.03;                  // tolerance of a slowdown, for the phases of the copies

struct FootprintCase {
  std::string gpu, what;  ///< what: nothing, memcpy or memset
  unsigned kib;
};

Run footprint_run(const FootprintCase& which, const Study& all) {
  Run run{experiment_gpu(which.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  run.config.host.call_cycles = static_cast<unsigned>(std::lround(all.number("launch_us") * run.config.core_mhz));
  launch(run.workload, 0, vector_add(vector_add_sample(Bytes{1024} * which.kib), 0x1'0000'0000),
         100 * kMicrosecond);  // when the other has begun
  const Bytes bytes = kInterfererBytes / all.number("scale") / kLineBytes * kLineBytes;
  // Issued in advance, so that the engine is always busy.
  if (!which.what.empty()) add_interferer(run.workload, {which.what, bytes, 16});
  return run;
}

ExperimentReport footprint(const Study& all, const ExperimentOptions& options) {
  const std::vector<unsigned> sizes = all.numbers("working_set_kib");
  std::vector<std::string> whats = all.values("what");
  RunSet<FootprintCase> runs;
  for (const std::string& gpu : all.gpus()) {
    for (const unsigned kib : sizes) {
      runs.add({gpu, "", kib}, footprint_run({gpu, "", kib}, all));
      for (const std::string& what : whats) runs.add({gpu, what, kib}, footprint_run({gpu, what, kib}, all));
    }
  }
  runs.run(options.jobs());
  const auto response = [&](const FootprintCase& which) {
    const LaunchOutcome kernel = launch_outcomes(runs.result(which)).at(0);
    return static_cast<double>(kernel.notified - kernel.released);
  };

  ExperimentReport report{"cuda-hierarchy"};
  Table table(
      {{"gpu"}, {"what"}, {"kib", "KiB", "footprint"}, {"slowdown", "", "response time over that alone", "", 2}});
  Table largest({{"gpu"}, {"what"}, {"slowdown_over", "", "Over that of the next smaller one", "over", 2}});
  for (const std::string& gpu : all.gpus()) {
    for (const std::string& what : whats) {
      std::vector<double> slowdowns;
      bool falls = false;
      for (const unsigned kib : sizes) {
        const double now = slowdown(response({gpu, what, kib}), response({gpu, "", kib}));
        table.add({gpu, what, kib, now});
        falls = falls || (!slowdowns.empty() && now < (1 - kFlat) * slowdowns.back());
        slowdowns.push_back(now);
      }
      const bool grows = !falls && slowdowns.back() > (1 + kFlat) * slowdowns.front();
      report.trend(fmt::format("{}: {}, slowdown by the footprint", gpu, what), "footprint.slowdown",
                   grows ? "grows" : "does not grow", "grows", grows, "rests on the time of a launch, assumed");
      largest.add({gpu, what, ratio(slowdowns.back(), slowdowns.at(slowdowns.size() - 2))});
    }
  }
  report.tables = {{"Response time of the vector add over that alone, by its footprint in KiB",
                    pivot(table, {"gpu", "what"}, "kib", {"slowdown"})},
                   {fmt::format("Slowdown with {} KiB over that with {}: larger ones are the same", sizes.back(),
                                sizes.at(sizes.size() - 2)),
                    largest, "largest"}};
  report.charts = {{line_chart(table, {"kib", "slowdown", {"what"}, "gpu", true})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("cuda-hierarchy/footprint", footprint, {"what", "working_set_kib", "scale", "launch_us"});
}

}  // namespace
}  // namespace gputlm
