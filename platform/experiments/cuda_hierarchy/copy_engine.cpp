/// Figure 7 of cuda-hierarchy (section V-A): how long does a vector add take beside processes that use the copy engine? Each
/// copies or sets pinned memory periodically, in a stream of its own.
///
/// The paper gives neither the shape of the kernel nor size and period of the copies. Here it is CUDA's vectorAdd sample; a
/// process works on an eighth of the kernel's data and then pauses.
#include <fmt/format.h>

#include <algorithm>
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

constexpr Bytes kKernelBytes = 50'000'000;  // section V-A
constexpr Bytes kCopies = 8;                // of a process make up the kernel's data
constexpr double kSame = 0.03;              // of a slowdown: the phases of the copies

struct CopyEngineCase {
  std::string gpu, what;
  unsigned processes, scale;
  bool operator<(const CopyEngineCase& other) const {
    return std::tie(gpu, what, processes, scale) < std::tie(other.gpu, other.what, other.processes, other.scale);
  }
};

Run copy_engine_run(const CopyEngineCase& which, const Matrix& all, const ParameterSettings& settings) {
  Run run{experiment_gpu(which.gpu, settings), workload_of_streams(1)};
  run.keep_blocks = false;
  const Femtoseconds pause = all.numbers("pause_us").at(0) * kMicrosecond / which.scale;
  launch(run.workload, 0, vector_add(vector_add_sample(kKernelBytes / which.scale), 0x1'0000'0000),
         2 * pause);  // when the others have begun
  const Bytes bytes = kKernelBytes / which.scale / kCopies / kLineBytes * kLineBytes;
  for (unsigned i = 0; i < which.processes; ++i) add_interferer(run.workload, {which.what, bytes, 1, pause});
  return run;
}

}  // namespace

ExperimentReport copy_engine(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Matrix all = matrix("cuda-hierarchy/copy-engine", options.quick);
  const std::vector<unsigned> counts = all.numbers("processes"), scales = all.numbers("scale");
  Sweep<CopyEngineCase> sweep;
  const auto add = [&](const CopyEngineCase& which) { sweep.add(which, copy_engine_run(which, all, settings)); };
  for (const std::string& gpu : all.values("gpu")) {
    for (const unsigned scale : scales) add({gpu, "", 0, scale});
    for (const std::string& what : all.values("what")) {
      for (const unsigned count : counts) add({gpu, what, count, scales.at(0)});
      add({gpu, what, counts.back(), scales.at(1)});
    }
  }
  sweep.run(options.jobs());
  const auto slower = [&](const CopyEngineCase& which) {
    const auto cycles = [&](const CopyEngineCase& of) {
      return static_cast<double>(launch_outcomes(sweep.result(of)).at(0).time());
    };
    return slowdown(cycles(which), cycles({which.gpu, "", 0, which.scale}));
  };

  const Reference& paper = reference("cuda-hierarchy");
  ExperimentReport report;
  report.text = fmt::format(
      "Time of the vector add over that alone, by the number of processes (1/{} of the size)\n{:<16}", scales[0], "");
  for (const unsigned count : counts) report.text += fmt::format(" {:>5}", count);
  report.text += '\n';
  std::string other_scale;
  LineChart chart;
  for (const std::string& gpu : all.values("gpu")) {
    chart.panels.push_back({"processes beside the kernel, " + gpu, "time over that alone"});
    std::vector<double> peaks;
    for (const std::string& what : all.values("what")) {
      LineChart::Line line{what, {{0, 1}}};
      report.text += fmt::format("{:<16}", gpu + ", " + what);
      bool falls = false;
      double peak = 1;
      for (const unsigned count : counts) {
        const double now = slower({gpu, what, count, scales[0]});
        report.text += fmt::format(" {:>5.2f}", now);
        falls = falls || now < (1 - kSame) * line.points.back().second;
        line.points.emplace_back(count, now);
        peak = std::max(peak, now);
      }
      report.text += '\n';
      chart.panels.back().lines.push_back(std::move(line));
      peaks.push_back(peak);
      const std::string name = fmt::format("{}: {}, ", gpu, what);
      report.figures.push_back({name + "by the number of processes", paper.at("copy_engine.by_processes"),
                                falls ? "falls" : "grows", Band::trend("grows", !falls && peak > 1 + kSame), ""});
      report.figures.push_back({name + "peak", paper.at("copy_engine." + gpu + "_" + what + "_up_to"),
                                Quantity::number(peak, 1), Band::peak(), ""});
      const double here = slower({gpu, what, counts.back(), scales[0]}),
                   there = slower({gpu, what, counts.back(), scales[1]});
      other_scale += fmt::format("{:<16} {:>5.2f}\n", gpu + ", " + what, ratio(there, here));
    }
    const bool more = peaks.at(1) > peaks.at(0);
    report.figures.push_back({gpu + ": memset disturbs more than memcpy", paper.at("copy_engine.memset"),
                              more ? "more" : "less", Band::trend("more", more), ""});
  }
  report.text += fmt::format("Slowdown beside {} processes with 1/{} over that with 1/{} of the size\n", counts.back(),
                             scales[1], scales[0]) +
                 other_scale;
  if (!options.out.empty()) write_chart(options.out + "/cuda-hierarchy-copy-engine.svg", chart);
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"cuda-hierarchy/copy-engine", 204},
                     "What a kernel suffers from copies and memsets of other processes (section V-A, figure 7)",
                     [](const ExperimentOptions& options) { return copy_engine(options); }});
}

}  // namespace gputlm
