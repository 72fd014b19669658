/// Figure 9 of cuda-hierarchy (section V-B): a vector add of four blocks on SMs 0, 2, 4 and 6 of Xavier, one a GPC; how
/// long does the block on SM 0 take, by the working set, alone and beside one more block that adds vectors, on SM 1 of the
/// same GPC or on SM 3 of the next?
///
/// The paper gives neither the threads of the blocks nor how often it ran them. Section V-B calls the block "memory bound":
/// here it has as many threads as a block can, 1024, each with one element at a time, and the kernel runs twice: the second
/// time counts, in which the L2 has what fits. The other block is of the same kernel, with vectors that fit in no cache.
/// What one that asks for more at once does, and the width of the port, is shown beside it.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "platform/experiments/cuda_hierarchy/vector_add.h"
#include "platform/experiments/experiments.h"
#include "platform/lab/chart_files.h"
#include "platform/lab/matrix.h"
#include "platform/lab/metrics.h"
#include "platform/lab/reference.h"
#include "platform/lab/sweep.h"

namespace gputlm {
namespace {

constexpr Bytes kKiB = 1024;
constexpr std::uint32_t kGpcThreads = 1024;   // of a block
constexpr double kSlower = 1.05;              // what counts as slower
constexpr const char* kSameKernel = "4 x 1";  // bytes of a load, loads of a vector before it is used
constexpr Address kObservedAt = 0x1'0000'0000, kOtherAt = 0x2'0000'0000;

struct GpcCase {
  std::string beside;  ///< SM of the other block, or alone
  unsigned kib;        ///< working set of the observed kernel
  std::string load = kSameKernel;
  std::string port = "";  ///< flits a cycle; empty: of the preset
  bool operator<(const GpcCase& other) const {
    return std::tie(beside, kib, load, port) < std::tie(other.beside, other.kib, other.load, other.port);
  }
};

Run gpc_run(const std::string& gpu, const GpcCase& which, ParameterSettings settings) {
  if (!which.port.empty()) {
    settings.insert(settings.end(), {{"noc.gpc_request_flits", which.port}, {"noc.gpc_reply_flits", which.port}});
  }
  Run run{experiment_gpu(gpu, settings), workload_of_streams(1)};
  const auto observed = vector_add({4, kGpcThreads, 4, 1, which.kib * kKiB}, kObservedAt);
  for (int i = 0; i < 2; ++i) launch(run.workload, 0, observed, 3 * kMicrosecond);  // when the other has begun
  if (which.beside == "alone") return run;
  ApplicationSpec other{"other"};
  other.sms.emplace().set(std::stoul(which.beside.substr(3)));
  other.relaunch = true;  // as long as the observed kernel runs
  run.workload.applications.push_back(std::move(other));
  run.workload.streams.push_back({"other", 1, 0});
  const auto width = static_cast<std::uint8_t>(std::stoul(which.load));
  const auto unrolled = static_cast<std::uint32_t>(std::stoul(which.load.substr(which.load.find('x') + 1)));
  launch(run.workload, 1, vector_add({1, kGpcThreads, width, unrolled, 3072 * kKiB}, kOtherAt));
  return run;
}

/// Blocks of the observed kernel's second run.
std::vector<BlockRecord> observed_blocks(const RunResult& result) {
  std::vector<BlockRecord> blocks;
  std::copy_if(result.blocks.begin(), result.blocks.end(), std::back_inserter(blocks),
               [](const BlockRecord& block) { return block.kernel == 1; });
  std::sort(blocks.begin(), blocks.end(), [](const BlockRecord& a, const BlockRecord& b) { return a.block < b.block; });
  return blocks;
}

/// Of the block on SM 0.
double cycles(const RunResult& result) {
  for (const BlockRecord& block : observed_blocks(result)) {
    if (block.sm == 0) return static_cast<double>(block.end - block.start);
  }
  throw std::logic_error("no block of the observed kernel is on SM 0");
}

}  // namespace

ExperimentReport gpc(const ExperimentOptions& options, const ParameterSettings& settings) {
  const Matrix all = matrix("cuda-hierarchy/gpc", options.quick);
  const std::vector<std::string> besides = all.values("beside");
  Sweep<GpcCase> sweep;
  const auto add = [&](const GpcCase& which) { sweep.add(which, gpc_run(all.gpu(), which, settings)); };
  for (const unsigned kib : all.numbers("working_set_kib")) {
    for (const std::string& beside : besides) add({beside, kib});
  }
  const unsigned one_kib = all.numbers("of_working_set_kib").at(0);
  for (const std::string& load : all.values("load")) {
    for (const std::string& port : all.values("port_flits")) {
      for (const std::string& beside : besides) add({beside, one_kib, load, port});
    }
  }
  sweep.run(options.jobs());
  const auto time = [&](const GpcCase& which) { return cycles(sweep.result(which)); };

  ExperimentReport report;
  const double mhz = sweep.request(sweep.keys().front()).config.core_mhz;
  LineChart chart;
  chart.panels.push_back({"working set (KiB)", "time of the block on SM 0 (us)", {}, true});
  chart.panels.push_back({"working set (KiB)", "time over that alone", {}, true});
  for (const std::string& beside : besides) {
    const std::string name = beside == "alone" ? "baseline" : "other block on " + beside;
    for (LineChart::Panel& panel : chart.panels) panel.lines.push_back({name, {}});
  }
  report.text = fmt::format("Cycles of the block on SM 0, by the working set\n{:>10}", "KiB");
  for (const std::string& beside : besides) report.text += fmt::format(" {:>10} {:>6}", beside, "");
  report.text += '\n';
  std::vector<double> baseline;
  double inside = 0, outside = 0;                             // the largest slowdowns
  std::size_t sets = 0, worse_inside = 0, worse_outside = 0;  // working sets: all, and those of which it holds
  std::set<std::string> places;  // of the observed blocks; those of all runs are to be the same
  for (const unsigned kib : all.numbers("working_set_kib")) {
    report.text += fmt::format("{:>10}", kib);
    std::vector<double> slowdowns;
    for (std::size_t i = 0; i < besides.size(); ++i) {
      const GpcCase which{besides[i], kib};
      const double took = time(which);
      slowdowns.push_back(slowdown(took, time({"alone", kib})));
      report.text += fmt::format(" {:>10} {:>6.2f}", took, slowdowns.back());
      chart.panels[0].lines[i].points.emplace_back(kib, took / mhz);
      chart.panels[1].lines[i].points.emplace_back(kib, slowdowns.back());
      std::vector<SmId> sms;
      for (const BlockRecord& block : observed_blocks(sweep.result(which))) sms.push_back(block.sm);
      places.insert(list_text(sms));
    }
    report.text += '\n';
    baseline.push_back(time({"alone", kib}));
    inside = std::max(inside, slowdowns[1]);
    outside = std::max(outside, slowdowns[2]);
    ++sets;
    worse_inside += slowdowns[1] > kSlower * slowdowns[2];
    worse_outside += slowdowns[2] > kSlower;
  }
  if (!all.values("load").empty()) {
    report.text += fmt::format(
        "\nThe same as factors with {} KiB, by the other block (bytes of a load x loads of a vector under way) "
        "and\nthe width of the ports\n{:>14} {:>14} {:>8} {:>8}\n",
        one_kib, "loads", "flits a cycle", besides[1], besides[2]);
  }
  for (const std::string& load : all.values("load")) {
    for (const std::string& port : all.values("port_flits")) {
      const double alone = time({besides[0], one_kib, load, port});
      report.text += fmt::format("{:>14} {:>14} {:>8.2f} {:>8.2f}\n", load, port,
                                 slowdown(time({besides[1], one_kib, load, port}), alone),
                                 slowdown(time({besides[2], one_kib, load, port}), alone));
    }
  }

  const Reference& paper = reference("cuda-hierarchy");
  const bool grows = std::is_sorted(baseline.begin(), baseline.end());
  report.figures = {
      exact_figure("blocks on SMs", paper.at("gpc.blocks_on_sms"), fmt::format("{}", fmt::join(places, ", then "))),
      {"alone: time by the working set", paper.at("gpc.by_working_set"), grows ? "grows" : "does not grow",
       Band::trend("grows", grows), ""},
      exact_figure("beside SM 3: working sets for which it is slower than alone", fmt::format("{0} of {0}", sets),
                   fmt::format("{} of {}", worse_outside, sets)),
      exact_figure("beside SM 1: working sets for which it is slower than beside SM 3", fmt::format("{0} of {0}", sets),
                   fmt::format("{} of {}", worse_inside, sets)),
      {"beside SM 3: time over that alone, peak", paper.at("gpc.inter"), Quantity::number(outside, 2),
       Band::above(kSlower), ""},
      {"beside SM 1: peak over that beside SM 3", paper.at("gpc.intra"), Quantity::number(inside / outside, 2),
       Band::above(kSlower), ""},
      {"beside SM 1: time over that alone, peak", paper.at("gpc.intra_up_to"), Quantity::number(inside, 2),
       Band::peak(), ""}};
  if (!options.out.empty()) write_chart(options.out + "/cuda-hierarchy-gpc.svg", chart);
  return report;
}

GPUTLM_REGISTER {
  experiments().add({{"cuda-hierarchy/gpc", 206},
                     "What a block suffers from one on the same GPC, and from one on another (section V-B, figure 9)",
                     [](const ExperimentOptions& options) { return gpc(options); }});
}

}  // namespace gputlm
