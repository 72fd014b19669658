#include "platform/experiments/srtf/runs.h"

#include "platform/lab/metrics.h"
#include "platform/lab/plan.h"

namespace gputlm {
namespace {

constexpr std::uint64_t kQuickBlocks = 960;

}  // namespace

double SrtfOutcome::slowdown(std::size_t k) const { return gputlm::slowdown(turnaround[k], alone[k]); }
double SrtfOutcome::stp() const { return gputlm::stp({slowdown(0), slowdown(1)}); }
double SrtfOutcome::antt() const { return gputlm::antt({slowdown(0), slowdown(1)}); }
double SrtfOutcome::strictf() const { return gputlm::strictf({slowdown(0), slowdown(1)}); }

SrtfRuns::SrtfRuns(std::vector<std::size_t> kernels, ExperimentOptions options, unsigned dispatch_width)
    : kernels_(std::move(kernels)), options_(std::move(options)), dispatch_width_(dispatch_width) {
  Sweep<std::size_t> sweep;
  for (const std::size_t index : kernels_) {
    Run run{gpu("leftover"), workload_of_streams(1)};
    run.keep_predictions = true;
    launch(run.workload, 0, kernel(index, 0));
    sweep.add(index, std::move(run));
  }
  sweep.run(options_.jobs());
  for (const std::size_t index : kernels_) alone_[index] = launch_outcomes(sweep.result(index)).front();
}

GpuConfig SrtfRuns::gpu(const std::string& order) const {
  return experiment_gpu(
      plan("srtf/workloads").gpu(),
      {{"work_distributor.kernel_order", order}, {"work_distributor.dispatch_width", std::to_string(dispatch_width_)}});
}

std::shared_ptr<Kernel> SrtfRuns::kernel(std::size_t index, unsigned instance) const {
  return ercbench_kernel(ercbench()[index], options_.seed, options_.quick ? kQuickBlocks : 0, instance);
}

std::vector<SrtfPair> SrtfRuns::pairs() const {
  std::vector<SrtfPair> result;
  for (std::size_t a = 0; a < kernels_.size(); ++a) {
    for (std::size_t b = a + 1; b < kernels_.size(); ++b) result.push_back({kernels_[a], kernels_[b]});
  }
  return result;
}

void SrtfRuns::add(const SrtfRun& run) {
  if (sweep_.has(run)) return;
  Run made{gpu(run.order), workload_of_streams(2)};
  made.keep_predictions = run.predictions;
  const Clock clock = Clock::from_mhz(made.config.core_mhz);
  for (unsigned k = 0; k < 2; ++k) {
    const std::size_t id = launch(made.workload, k, kernel(run.pair[k], k), clock.edge(k * run.apart));
    made.workload.launches[id].alone_cycles = alone_cycles(run.pair[k]);
  }
  sweep_.add(run, std::move(made));
}

SrtfOutcome SrtfRuns::operator[](const SrtfRun& run) const {
  std::vector<LaunchOutcome> launches = launch_outcomes(sweep_.result(run));
  SrtfOutcome outcome;
  for (std::size_t k = 0; k < 2; ++k) {
    outcome.alone[k] = alone_cycles(run.pair[k]);
    outcome.turnaround[k] = launches[k].end - launches[k].arrived;
    outcome.launches[k] = std::move(launches[k]);
  }
  return outcome;
}

std::vector<std::size_t> srtf_kernels(const ExperimentOptions& options) {
  std::vector<std::size_t> kernels;
  const Plan::Workloads all = plan("srtf/workloads", options).workloads();
  for (const std::string& name : all.at(0)) {
    kernels.push_back(ercbench_index(name));
  }
  return kernels;
}

std::string name_of(const SrtfPair& pair) {
  return ercbench()[pair[0]].short_name + "+" + ercbench()[pair[1]].short_name;
}

}  // namespace gputlm
