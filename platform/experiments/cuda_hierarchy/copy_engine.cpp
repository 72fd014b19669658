/// Figure 7 of cuda-hierarchy (section V-A): the time of a vector addition beside processes that use the copy engine. Each
/// copies or sets pinned memory periodically, in a stream of its own.
///
/// The paper gives neither the shape of the kernel nor size and period of the copies. Here the kernel is CUDA's vectorAdd
/// sample; a process handles an eighth of the kernel's data and then pauses.
#include <fmt/format.h>

#include <algorithm>

#include "platform/experiments/cuda_hierarchy/kernels.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr Bytes kKernelBytes = 50'000'000;  // section V-A
constexpr Bytes kCopies = 8;                // copies of a process that equal the kernel's data
constexpr double kSame = 0.03;              // tolerance of a slowdown, for the phases of the copies

struct CopyEngineCase {
  std::string gpu, what;
  unsigned processes, scale;
};

Run copy_engine_run(const CopyEngineCase& which, const Study& all) {
  Run run{experiment_gpu(which.gpu), workload_of_streams(1)};
  run.keep_blocks = false;
  const Femtoseconds pause = all.number("pause_us") * kMicrosecond / which.scale;
  launch(run.workload, 0, vector_add(vector_add_sample(kKernelBytes / which.scale), 0x1'0000'0000),
         2 * pause);  // when the others have begun
  const Bytes bytes = kKernelBytes / which.scale / kCopies / kLineBytes * kLineBytes;
  for (unsigned i = 0; i < which.processes; ++i) add_interferer(run.workload, {which.what, bytes, 1, pause});
  return run;
}

ExperimentReport copy_engine(const Study& all, const ExperimentOptions& options) {
  const std::vector<unsigned> counts = all.numbers("processes"), scales = all.numbers("scale");
  RunSet<CopyEngineCase> runs;
  const auto add = [&](const CopyEngineCase& which) { runs.add(which, copy_engine_run(which, all)); };
  for (const std::string& gpu : all.gpus()) {
    for (const unsigned scale : scales) add({gpu, "", 0, scale});
    for (const std::string& what : all.values("what")) {
      for (const unsigned count : counts) add({gpu, what, count, scales.at(0)});
      add({gpu, what, counts.back(), scales.at(1)});
    }
  }
  runs.run(options.jobs());
  const auto slower = [&](const CopyEngineCase& which) {
    const auto cycles = [&](const CopyEngineCase& of) {
      return static_cast<double>(launch_outcomes(runs.result(of)).at(0).time());
    };
    return slowdown(cycles(which), cycles({which.gpu, "", 0, which.scale}));
  };

  ExperimentReport report{"cuda-hierarchy"};
  Table table({{"gpu"},
               {"what"},
               {"processes", "", "processes beside the kernel"},
               {"slowdown", "", "time over that alone", "", 2}});
  Table scaled({{"gpu"}, {"what"}, {"slowdown_over", "", "Slowdown over that with the other scale", "over", 2}});
  for (const std::string& gpu : all.gpus()) {
    std::vector<double> peaks;
    for (const std::string& what : all.values("what")) {
      bool falls = false;
      double before = 1, peak = 1;
      for (const unsigned count : counts) {
        const double now = slower({gpu, what, count, scales[0]});
        table.add({gpu, what, count, now});
        falls = falls || now < (1 - kSame) * before;
        peak = std::max(peak, now);
        before = now;
      }
      peaks.push_back(peak);
      const std::string name = fmt::format("{}: {}, ", gpu, what);
      report.trend(name + "by the number of processes", "copy_engine.by_processes", falls ? "falls" : "grows", "grows",
                   !falls && peak > 1 + kSame);
      report.number(name + "peak", "copy_engine." + gpu + "_" + what + "_up_to", peak, 1, Band::peak());
      scaled.add({gpu, what,
                  ratio(slower({gpu, what, counts.back(), scales[1]}), slower({gpu, what, counts.back(), scales[0]}))});
    }
    const bool more = peaks.at(1) > peaks.at(0);
    report.trend(gpu + ": memset disturbs more than memcpy", "copy_engine.memset", more ? "more" : "less", "more",
                 more);
  }
  report.tables = {
      {fmt::format("Time of the vector add over that alone, by the number of processes (1/{} of the size)", scales[0]),
       pivot(table, {"gpu", "what"}, "processes", {"slowdown"})},
      {fmt::format("Slowdown beside {} processes with 1/{} over that with 1/{} of the size", counts.back(), scales[1],
                   scales[0]),
       scaled, "scale"}};
  report.charts = {{line_chart(table, {"processes", "slowdown", {"what"}, "gpu"})}};
  return report;
}

GPUTLM_REGISTER {
  add_experiment("cuda-hierarchy/copy-engine", copy_engine, {"what", "processes", "scale", "pause_us"});
}

}  // namespace
}  // namespace gputlm
