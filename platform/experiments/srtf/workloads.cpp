/// Table 5 of srtf: every pair of ERCBench kernels, in both launch orders, under every kernel order; also the same per
/// workload (figures 14 to 16), the motivating study (figure 1), SRTF without sampling (section 6.2.2) and the worst
/// turnaround times (section 6.2.3).
#include "platform/experiments/srtf/table.h"
#include "platform/lab/experiment.h"

namespace gputlm {
namespace {

ExperimentReport workloads(const Study& all, const ExperimentOptions& options) {
  SrtfRuns runs(srtf_kernels(all), options);
  const SrtfTable table =
      run_srtf_table(runs, all.values("work_distributor.kernel_order"), [](std::size_t) { return kSrtfApart; });
  ExperimentReport report{"srtf"};
  add_srtf_table(report, table, "");
  add_srtf_claims(report, table, options.quick);
  return report;
}

GPUTLM_REGISTER { add_experiment("srtf/workloads", workloads, {"kernels"}); }

}  // namespace
}  // namespace gputlm
