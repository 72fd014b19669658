/// Clusters of blocks on an H100: how many it holds at once, and on how many SMs they are. NVIDIA publishes neither the
/// number of SMs of each GPC nor how a GPC is chosen; two others observed the results.
#include <algorithm>
#include <map>
#include <set>

#include "models/kernel/program_kernel.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/kernel_order.h"
#include "platform/lab/experiment.h"
#include "platform/lab/experiment_runs.h"

namespace gputlm {
namespace {

constexpr std::uint32_t kCluster = 8;
constexpr const char* kPlacement = "work_distributor.cluster_placement";

/// Clusters of small blocks that stay for a while. `whole_sm`: a block fills an SM, like those of a matrix multiplication.
std::shared_ptr<Kernel> clusters_of_eight(std::uint32_t clusters, bool whole_sm) {
  ProgramSpec spec;
  spec.name = "clusters";
  spec.grid = {clusters * kCluster};
  spec.block = {whole_sm ? 384u : 32u};
  spec.registers_per_thread = whole_sm ? 168 : 16;
  spec.cluster = {kCluster};
  spec.body = {spin(20 * kMicrosecond)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Run run_of_clusters(const GpuConfig& gpu, std::uint32_t clusters, bool whole_sm) {
  Run run{gpu, workload_of_streams(1)};
  launch(run.workload, 0, clusters_of_eight(clusters, whole_sm));
  return run;
}

/// Number of blocks on each SM.
std::map<SmId, unsigned> blocks_of_sms(const RunResult& result) {
  std::map<SmId, unsigned> blocks;
  for (const BlockRecord& block : launch_outcomes(result).at(0).blocks) ++blocks[block.sm];
  return blocks;
}

ExperimentReport clusters_on_silicon(const Study& all, const ExperimentOptions& options) {
  const std::uint32_t launched =
      static_cast<std::uint32_t>(reference("silicon").number("h100_sxm.clusters.an.launched"));
  RunSet<std::string> runs;
  const auto gpu = [&](const std::string& policy) { return all.config_with({{kPlacement, policy}}); };
  const std::vector<std::string> named = all.values(kPlacement);
  for (const std::string& policy :
       std::set(named.begin(), named.end()))  // in the place of one may be another that is there
    runs.add(policy, run_of_clusters(gpu(policy), launched, false));
  const std::string measured = options.policy("most_idle");
  runs.add("whole SMs", run_of_clusters(gpu(measured), 2 * launched, true));
  runs.run(options.jobs());

  ExperimentReport report{"silicon"};
  Table table({{"placement", "", "Policy that chooses the GPC"},
               {"sms", "SMs", "With a block, of 132"},
               {"most", "blocks", "On an SM, at most"}});
  for (const std::string& policy : all.values(kPlacement)) {
    const std::map<SmId, unsigned> blocks = blocks_of_sms(runs.result(policy));
    unsigned most = 0;
    for (const auto& [sm, count] : blocks) most = std::max(most, count);
    table.add({policy, blocks.size(), most});
    if (policy != measured) continue;
    report.number("SMs that 17 clusters of 8 small blocks are on", "h100_sxm.clusters.an.sms",
                  static_cast<double>(blocks.size()), 0, Band::exact());
    report.number("their blocks on an SM at most", "h100_sxm.clusters.an.most", most, 0, Band::exact());
  }
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(runs.result("whole SMs"));
  Cycle first_end = kNever;
  for (const BlockRecord& block : outcomes.at(0).blocks) first_end = std::min(first_end, block.end);
  double at_once = 0;
  for (const BlockRecord& block : outcomes.at(0).blocks) at_once += block.start < first_end;
  report.number("clusters of 8 at once, a block on an SM", "h100_sxm.clusters.cublas.clusters", at_once / kCluster, 0,
                Band::exact());
  report.tables = {{"17 clusters of 8 small blocks, by how the GPC is chosen", table}};
  return report;
}

GPUTLM_REGISTER { add_experiment("silicon/clusters", clusters_on_silicon); }

}  // namespace
}  // namespace gputlm
