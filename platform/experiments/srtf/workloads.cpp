/// Table 5 of srtf: every pair of ERCBench kernels, in both orders, under every kernel order; with the same per workload
/// (figures 14 to 16), the study that motivates it (figure 1), SRTF without sampling (section 6.2.2) and the worst
/// turnaround times (section 6.2.3).
#include "platform/experiments/srtf/claims.h"
#include "platform/experiments/srtf/srtf.h"
#include "platform/experiments/srtf/table.h"
#include "platform/lab/matrix.h"

namespace gputlm {

GPUTLM_REGISTER {
  experiments().add({{"srtf/workloads", 504},
                     "56 workloads of two kernels under six kernel orders (table 5, figures 1 and 14 to 16)",
                     [](const ExperimentOptions& options) { return srtf_workloads(options); }});
}

ExperimentReport srtf_workloads(const ExperimentOptions& options, const std::string& order) {
  SrtfRuns runs(srtf_kernels(options), options);
  const std::vector<std::string> orders =
      matrix("srtf/workloads", options.quick).values("work_distributor.kernel_order", "srtf", order);
  const SrtfTable table = run_srtf_table(runs, orders, [](std::size_t) { return kSrtfApart; });
  if (!options.out.empty()) write_srtf_files(table, options.out + "/srtf-workloads");
  return {workloads_text(table) + summary_text(table), srtf_claims(table, options.quick)};
}

}  // namespace gputlm
