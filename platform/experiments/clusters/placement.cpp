/// Slots that clusters of blocks leave empty: for the kernel with clusters alone, and with a kernel without clusters beside
/// it. Nobody has published this. A block fills an SM and spins for 10 us, plus or minus 52 %, so that SMs become free one by
/// one, and a cluster has to wait until enough SMs of one GPC are free.
#include <fmt/format.h>

#include <algorithm>

#include "models/kernel/program_kernel.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"
#include "platform/lab/metrics.h"

namespace gputlm {
namespace {

constexpr double kSoon = 30;  // us: no block takes longer than 16

/// How the two kernels run together.
struct ClusterWay {
  const char* name;
  bool beside, keeps;
  int priority;  ///< priority of the kernel with clusters
};
constexpr ClusterWay kClusterWays[] = {{"alone", false, true, 0},
                                       {"beside, a GPC kept", true, true, 0},
                                       {"beside, none kept", true, false, 0},
                                       {"beside, more urgent", true, true, -1}};

struct PlacedRun {
  std::string way, placement;
  unsigned cluster;
  bool operator<(const PlacedRun& o) const {
    return std::tie(way, placement, cluster) < std::tie(o.way, o.placement, o.cluster);
  }
};

std::shared_ptr<Kernel> blocks_that_fill_sms(const char* name, unsigned blocks, unsigned cluster) {
  ProgramSpec spec;
  spec.name = name;
  spec.grid = {blocks};
  spec.block = {384};
  spec.registers_per_thread = 168;
  spec.cluster = {cluster};
  spec.non_portable_cluster = cluster > 8;
  spec.variation.spread = 0.3;
  spec.body = {spin(10 * kMicrosecond)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Run run_with_clusters(const GpuConfig& gpu, const ClusterWay& way, unsigned cluster, unsigned blocks) {
  Run run{gpu, workload_of_streams(2)};
  run.workload.applications = {{"clusters"}, {"beside"}};
  run.workload.streams[0].priority = way.priority;
  run.workload.streams[1].application = 1;
  launch(run.workload, 0, blocks_that_fill_sms("clusters", blocks, cluster), way.beside ? 20 * kMicrosecond : 0);
  if (way.beside) launch(run.workload, 1, blocks_that_fill_sms("beside", 4 * blocks, 1));
  return run;
}

/// From the first block of the kernel with clusters to its last: the duration, the wait before it, and the share of the SMs'
/// time of each kernel.
struct SmTime {
  double waited_us, us, clusters, beside;
  double empty() const { return 1 - clusters - beside; }
};
SmTime sm_time_of(const Run& run, const RunResult& result) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const Cycle from = outcomes[0].first_block, to = outcomes[0].end;
  const auto share = [&](const LaunchOutcome& outcome) {
    Cycle cycles = 0;
    for (const BlockRecord& b : outcome.blocks) {
      const Cycle begin = std::max(b.start, from), end = std::min(b.end, to);
      if (end > begin) cycles += end - begin;
    }
    return static_cast<double>(cycles) / (static_cast<double>(to - from) * run.config.sms);
  };
  return {static_cast<double>(from - outcomes[0].arrived) / run.config.core_mhz,
          static_cast<double>(to - from) / run.config.core_mhz, share(outcomes[0]),
          outcomes.size() > 1 ? share(outcomes[1]) : 0};
}

ExperimentReport cluster_placement(const Study& all, const ExperimentOptions& options) {
  const unsigned blocks = all.number("blocks");
  const std::vector<unsigned> sizes = all.numbers("cluster");
  const std::vector<std::string> placements = all.values("work_distributor.cluster_placement");
  const std::string keeps = options.policy("true");
  RunSet<PlacedRun> runs;
  for (const ClusterWay& way : kClusterWays) {
    for (const std::string& placement : placements) {
      const GpuConfig gpu = all.config_with({{"work_distributor.cluster_placement", placement},
                                             {"work_distributor.clusters_keep_gpc", way.keeps ? keeps : "false"}});
      for (const unsigned size : sizes)
        runs.add({way.name, placement, size}, run_with_clusters(gpu, way, size, blocks));
    }
  }
  runs.run(options.jobs());

  ExperimentReport report{"clusters"};
  Table table({{"way", "", "How the kernel runs"},
               {"placement", "", "work_distributor.cluster_placement"},
               {"cluster", "blocks", "blocks of a cluster"},
               {"waited_us", "us", "From its arrival to its first block", "waits", 1},
               {"time_us", "us", "time of the kernel with clusters", "us", 1},
               {"empty_percent", "%", "SMs' time without a block meanwhile", "empty", 1},
               {"beside_percent", "%", "SMs' time that the kernel beside it has meanwhile", "beside", 1}});
  std::uint64_t in_time = 0, beside_runs = 0, fuller = 0, larger = 0;
  double empty_without = 0;
  for (const ClusterWay& way : kClusterWays) {
    for (const std::string& placement : placements) {
      double before = -1;
      for (const unsigned size : sizes) {
        const PlacedRun key{way.name, placement, size};
        const SmTime shares = sm_time_of(runs.request(key), runs.result(key));
        table.add({way.name, placement, size, shares.waited_us, shares.us, 100 * shares.empty(), 100 * shares.beside});
        if (size == 1) empty_without = std::max(empty_without, way.beside ? shares.empty() : 0);
        if (way.beside && way.keeps && way.priority == 0) {
          ++beside_runs;
          in_time += shares.waited_us < kSoon;
          if (before >= 0) {
            ++larger;
            fuller += shares.empty() > before;
          }
          before = shares.empty();
        }
      }
    }
  }
  report.figures.push_back({"SMs' time without a block where nothing has clusters", "none",
                            Quantity::number(100 * empty_without, 1, "%"), Band::below(2), ""});
  report.all("runs in which clusters for which a GPC is kept wait less than 30 us for the first place", in_time,
             beside_runs);
  report.all("steps to larger clusters that leave more places empty beside another kernel", fuller, larger);
  const Table kept = lines_with(table, "way", kClusterWays[1].name),
              alone = lines_with(table, "way", kClusterWays[0].name);
  const Table first = lines_with(table, "placement", placements.front());
  report.tables = {
      {"Time, places that stay empty and what the kernel beside has", table},
      {"Empty places, in % of the SMs' time", pivot(first, {"cluster"}, "way", {"empty_percent"}), "ways"}};
  report.charts = {{line_chart(first, {"cluster", "empty_percent", {"way"}, "", true}), "empty"},
                   {line_chart(first, {"cluster", "time_us", {"way"}, "", true}), "time"},
                   {line_chart(kept, {"cluster", "beside_percent", {"placement"}, "", true}), "beside"},
                   {line_chart(alone, {"cluster", "time_us", {"placement"}, "", true}), "alone"}};
  return report;
}

GPUTLM_REGISTER { add_experiment("clusters/placement", cluster_placement, {"cluster", "blocks"}); }

}  // namespace
}  // namespace gputlm
