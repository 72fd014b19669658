#include "platform/experiments/srtf/runs.h"

#include <algorithm>
#include <numeric>

namespace gputlm {
namespace {

constexpr std::uint64_t kQuickBlocks = 960;

double ratio(Cycle a, Cycle b) { return static_cast<double>(a) / static_cast<double>(b); }

}  // namespace

double SrtfOutcome::slowdown(std::size_t k) const { return ratio(turnaround[k], alone[k]); }
double SrtfOutcome::stp() const { return 1 / slowdown(0) + 1 / slowdown(1); }
double SrtfOutcome::antt() const { return (slowdown(0) + slowdown(1)) / 2; }
double SrtfOutcome::strictf() const {
  const auto [least, most] = std::minmax({slowdown(0), slowdown(1)});
  return least / most;
}

SrtfRuns::SrtfRuns(std::vector<std::size_t> kernels, const ExperimentOptions& options)
    : kernels_(std::move(kernels)), options_(options) {
  std::vector<Run> runs;
  for (const std::size_t index : kernels_) {
    runs.push_back({experiment_gpu("gtx480"), workload_of_streams(1)});
    launch(runs.back().workload, 0, kernel(index, 0));
  }
  const auto outcomes = run_all(runs, options_.jobs(), true);
  for (std::size_t i = 0; i < kernels_.size(); ++i) alone_[kernels_[i]] = outcomes[i][0];
}

std::shared_ptr<Kernel> SrtfRuns::kernel(std::size_t index, unsigned instance) const {
  return ercbench_kernel(kErcbench[index], options_.seed, options_.quick ? kQuickBlocks : 0, instance);
}

std::vector<SrtfPair> SrtfRuns::pairs() const {
  std::vector<SrtfPair> result;
  for (std::size_t a = 0; a < kernels_.size(); ++a) {
    for (std::size_t b = a + 1; b < kernels_.size(); ++b) result.push_back({kernels_[a], kernels_[b]});
  }
  return result;
}

std::vector<SrtfOutcome> SrtfRuns::run(const std::vector<SrtfRun>& runs, bool keep_predictions) const {
  std::vector<Run> made;
  made.reserve(runs.size());
  for (const SrtfRun& run : runs) {
    Run& r = made.emplace_back(
        Run{experiment_gpu("gtx480", {{"work_distributor.kernel_order", run.order}}), workload_of_streams(2)});
    const Clock clock = Clock::from_mhz(r.config.core_mhz);
    for (unsigned k = 0; k < 2; ++k) {
      const std::size_t id = launch(r.workload, k, kernel(run.pair[k], k), clock.edge(k * run.apart));
      r.workload.launches[id].alone_cycles = alone_cycles(run.pair[k]);
    }
  }
  const auto results = run_all(made, options_.jobs(), keep_predictions);
  std::vector<SrtfOutcome> outcomes;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    SrtfOutcome& outcome = outcomes.emplace_back();
    for (std::size_t k = 0; k < 2; ++k) {
      outcome.launches[k] = results[i][k];
      outcome.alone[k] = alone_cycles(runs[i].pair[k]);
      outcome.turnaround[k] = results[i][k].end - results[i][k].arrived;
    }
  }
  return outcomes;
}

std::vector<std::size_t> srtf_kernels(const ExperimentOptions& options) {
  if (options.quick) {
    return {ercbench_index("AES-e"), ercbench_index("JPEG-d"), ercbench_index("Ray"), ercbench_index("SAD")};
  }
  std::vector<std::size_t> all(kErcbench.size());
  std::iota(all.begin(), all.end(), 0);
  return all;
}

std::string name_of(const SrtfPair& pair) {
  return std::string(kErcbench[pair[0]].short_name) + "+" + kErcbench[pair[1]].short_name;
}

}  // namespace gputlm
