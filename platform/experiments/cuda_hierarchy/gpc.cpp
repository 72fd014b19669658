/// Figure 9 of cuda-hierarchy (section V-B): a vector addition of four blocks on SMs 0, 2, 4 and 6 of Xavier, one per GPC.
/// The time of the block on SM 0 by working set: alone, and beside another block that adds vectors, on SM 1 of the same GPC
/// or on SM 3 of the next.
///
/// The paper gives neither the threads of the blocks nor how often it ran them. Section V-B calls the block "memory bound":
/// here it has the maximum of 1024 threads, each with one element at a time, and the kernel runs twice. The second run
/// counts, in which the L2 has what fits. The other block runs the same kernel, with vectors that fit in no cache. The effect
/// of a block with more requests in flight, and of the port's width, is shown beside it.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "platform/experiments/cuda_hierarchy/kernels.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr Bytes kKiB = 1024;
constexpr std::uint32_t kGpcThreads = 1024;   // threads per block
constexpr double kSlower = 1.05;              // criterion for slower
constexpr const char* kSameKernel = "4 x 1";  // bytes of a load, loads of a vector before their use
constexpr Address kObservedAt = 0x1'0000'0000, kOtherAt = 0x2'0000'0000;

struct GpcCase {
  std::string beside;  ///< SM of the other block, or alone
  unsigned kib;        ///< working set of the observed kernel
  std::string load = kSameKernel;
  std::string port = "";  ///< flits per cycle; empty: the preset's
};

Run gpc_run(const std::string& gpu, const GpcCase& which) {
  ParameterSettings settings;
  if (!which.port.empty()) settings = {{"noc.gpc_request_flits", which.port}, {"noc.gpc_reply_flits", which.port}};
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

/// Cycles of the block on SM 0.
double cycles(const RunResult& result) {
  for (const BlockRecord& block : observed_blocks(result)) {
    if (block.sm == 0) return static_cast<double>(block.end - block.start);
  }
  throw std::logic_error("no block of the observed kernel is on SM 0");
}

ExperimentReport gpc(const Study& all, const ExperimentOptions& options) {
  const std::vector<std::string> besides = all.values("beside");
  RunSet<GpcCase> runs;
  const auto add = [&](const GpcCase& which) { runs.add(which, gpc_run(all.gpu(), which)); };
  for (const unsigned kib : all.numbers("working_set_kib")) {
    for (const std::string& beside : besides) add({beside, kib});
  }
  const unsigned one_kib = all.number("of_working_set_kib");
  for (const std::string& load : all.values("load")) {
    for (const std::string& port : all.values("port_flits")) {
      for (const std::string& beside : besides) add({beside, one_kib, load, port});
    }
  }
  runs.run(options.jobs());
  const auto time = [&](const GpcCase& which) { return cycles(runs.result(which)); };

  const double mhz = runs.request(runs.keys().front()).config.core_mhz;
  Table table({{"beside"},
               {"kib", "KiB", "working set"},
               {"time_cycles", "core cycles", "Time of the block on SM 0", "cycles", 0},
               {"time_us", "us", "time of the block on SM 0", "time", 2},
               {"slowdown", "", "time over that alone", "slowdown", 2}});
  std::vector<double> baseline;
  double inside = 0, outside = 0;                             // the largest slowdowns
  std::size_t sets = 0, worse_inside = 0, worse_outside = 0;  // number of working sets: all, and those with the larger
                                                              // slowdown
  std::set<std::string> places;                               // SMs of the observed blocks; equal in all runs
  for (const unsigned kib : all.numbers("working_set_kib")) {
    std::vector<double> slowdowns;
    for (const std::string& beside : besides) {
      const double took = time({beside, kib});
      slowdowns.push_back(slowdown(took, time({"alone", kib})));
      table.add({beside == "alone" ? "baseline" : "other block on " + beside, kib, took, took / mhz, slowdowns.back()});
      std::vector<SmId> sms;
      for (const BlockRecord& block : observed_blocks(runs.result({beside, kib}))) sms.push_back(block.sm);
      places.insert(list_text(sms));
    }
    baseline.push_back(time({"alone", kib}));
    inside = std::max(inside, slowdowns[1]);
    outside = std::max(outside, slowdowns[2]);
    ++sets;
    worse_inside += slowdowns[1] > kSlower * slowdowns[2];
    worse_outside += slowdowns[2] > kSlower;
  }
  ExperimentReport report{"cuda-hierarchy"};
  report.tables = {
      {"Time of the block on SM 0, by the working set", pivot(table, {"kib"}, "beside", {"time_cycles", "slowdown"})}};
  const auto panel = [&](const char* y) { return line_chart(table, {"kib", y, {"beside"}, "", true}).panels.at(0); };
  report.charts = {{LineChart{"", {panel("time_us"), panel("slowdown")}}}};
  Table ports({{"load", "", "Bytes of a load x loads of a vector under way"},
               {"port_flits", "", "Flits a cycle"},
               {"sm_1", "", "Slowdown beside " + besides[1], besides[1], 2},
               {"sm_3", "", "Slowdown beside " + besides[2], besides[2], 2}});
  for (const std::string& load : all.values("load")) {
    for (const std::string& port : all.values("port_flits")) {
      const auto over_alone = [&](std::size_t i) {
        return slowdown(time({besides[i], one_kib, load, port}), time({besides[0], one_kib, load, port}));
      };
      ports.add({load, port, over_alone(1), over_alone(2)});
    }
  }
  if (!ports.rows().empty()) {
    report.tables.push_back({fmt::format("The slowdowns with {} KiB, by the other block (bytes of a load x loads of a "
                                         "vector under way) and the width of the ports",
                                         one_kib),
                             ports, "ports"});
  }
  const bool grows = std::is_sorted(baseline.begin(), baseline.end());
  report.equal("blocks on SMs", "gpc.blocks_on_sms", fmt::format("{}", fmt::join(places, ", then ")));
  report.trend("alone: time by the working set", "gpc.by_working_set", grows ? "grows" : "does not grow", "grows",
               grows);
  report.all("beside SM 3: working sets for which it is slower than alone", worse_outside, sets);
  report.all("beside SM 1: working sets for which it is slower than beside SM 3", worse_inside, sets);
  report.number("beside SM 3: time over that alone, peak", "gpc.inter", outside, 2, Band::above(kSlower));
  report.number("beside SM 1: peak over that beside SM 3", "gpc.intra", inside / outside, 2, Band::above(kSlower));
  report.number("beside SM 1: time over that alone, peak", "gpc.intra_up_to", inside, 2, Band::peak());
  return report;
}

GPUTLM_REGISTER {
  add_experiment("cuda-hierarchy/gpc", gpc, {"beside", "working_set_kib", "load", "port_flits", "of_working_set_kib"});
}

}  // namespace
}  // namespace gputlm
