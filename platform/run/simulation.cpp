#include "platform/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "models/host/host.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/merged.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/probes/probe.h"
#include "platform/run/gpu.h"
#include "platform/run/result.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

/// Records everything that ends in a run.
class Recorder {
 public:
  /// Optional records besides kernels and applications.
  struct Keep {
    bool blocks = false;       ///< fill RunResult::blocks
    bool predictions = false;  ///< fill RunResult::predictions
  };
  /// Watches the units, before the run. Arguments passed by reference must outlive the recorder.
  Recorder(Host& host, const std::vector<WorkDistributor*>& distributors, const Workload& workload, const Keep& keep,
           RunResult& result);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Call it after the last end: sorts the kernels, and fills in unfinished launches and applications.
  void finish();

 private:
  /// Predictions of one kernel on one SM.
  struct OnSm {
    Cycle first = 0;          ///< first prediction; 0: none
    Cycle first_of_last = 0;  ///< first prediction of the last slice
  };

  void predicted(const Prediction& prediction);
  void kernel_executed(const KernelExecuted& kernel);
  void kernel_ended(const KernelEnded& ended);
  void copy_ended(const CopyEnded& ended);

  const Host& host_;
  const std::vector<WorkDistributor*> distributors_;
  const Workload& workload_;
  RunResult& result_;
  std::map<KernelId, std::vector<OnSm>> predicted_;  ///< predictions by SM, up to the last SM on which a block ended
  std::map<KernelId, PredictionSummary> summaries_;  ///< summaries of kernels whose end has not reached the host
  PredictionTracker tracker_;
  Merged<BlockEnded> blocks_;
  Merged<KernelExecuted> predicted_kernels_;
  Merged<SliceEnded> slices_;
};

/// Predictions relative to the actual value, over SMs.
class Errors {
 public:
  void add(Cycle predicted, Cycle actual) {
    const double ratio = static_cast<double>(predicted) / static_cast<double>(actual);
    range_.least = count_ ? std::min(range_.least, ratio) : ratio;
    range_.most = std::max(range_.most, ratio);
    sum_ += ratio;
    ++count_;
  }
  PredictionErrors result() const {
    PredictionErrors errors = range_;
    errors.mean = count_ ? sum_ / count_ : 0;
    return errors;
  }
  unsigned count() const { return count_; }

 private:
  PredictionErrors range_;
  double sum_ = 0;
  unsigned count_ = 0;
};

/// The progress of the active launches, in the order of their ids.
std::vector<UnfinishedKernel> unfinished_kernels(const std::vector<const KernelLaunch*>& running,
                                                 const std::vector<WorkDistributorCore::Outstanding>& outstanding) {
  std::map<KernelId, UnfinishedKernel> kernels;
  for (const KernelLaunch* launch : running) {
    UnfinishedKernel& kernel = kernels[launch->identity.kernel];
    kernel.id = launch->identity.kernel;
    kernel.command = launch->command;
    kernel.iteration = launch->iteration;
    kernel.submitted = launch->submitted;
    kernel.blocks_ended = launch->blocks_ended;
    if (launch->blocks_ended > 0) kernel.first_block = launch->first_block;
    kernel.counters = launch->counters;
  }
  for (const WorkDistributorCore::Outstanding& block : outstanding) {
    UnfinishedKernel& kernel = kernels.at(block.kernel);
    ++kernel.blocks_running;
    if (block.start) kernel.first_block = std::min(kernel.first_block, *block.start);
    kernel.counters += block.counters;
  }
  std::vector<UnfinishedKernel> list;
  list.reserve(kernels.size());
  for (const auto& [id, kernel] : kernels) list.push_back(kernel);
  return list;
}

/// Which launches are made: not those of dropped jobs, and not those beyond the budget of jobs without overrun.
std::vector<bool> launches_made(const Workload& workload, const std::vector<JobDropped>& dropped) {
  std::vector<bool> of_job(workload.jobs.size(), true), made;
  for (const JobDropped& job : dropped) {
    if (job.iteration == 0) of_job[job.job] = false;
  }
  for (const LaunchCommand& launch : workload.launches)
    made.push_back(!launch.job ||
                   (of_job[*launch.job] && (!launch.beyond_budget || workload.jobs[*launch.job].overruns)));
  return made;
}

std::vector<ApplicationRecord> application_records(const Workload& workload, const RunResult& result) {
  std::vector<ApplicationRecord> records(workload.applications.size());
  std::vector<std::uint64_t> launches(records.size()), ended_first(records.size());
  std::vector<std::uint64_t> ended(workload.launches.size());  // number of launches that ended, by command
  std::vector<Cycle> end(records.size());
  const auto application = [&](std::uint32_t command) {
    return workload.streams[workload.launches[command].stream].application;
  };
  const std::vector<bool> made = launches_made(workload, result.dropped);
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    launches[application(static_cast<std::uint32_t>(i))] += made[i];
  for (const KernelRecord& kernel : result.kernels) {
    const ApplicationId a = application(kernel.command);
    records[a].counters += kernel.counters;
    ++ended[kernel.command];
    if (kernel.iteration > 0) continue;
    ++ended_first[a];
    end[a] = std::max(end[a], kernel.end);
  }
  for (const UnfinishedKernel& kernel : result.unfinished)
    records[application(kernel.command)].counters += kernel.counters;
  for (std::size_t a = 0; a < records.size(); ++a) {
    if (launches[a] > 0 && ended_first[a] == launches[a]) records[a].first_end = end[a];
    if (launches[a] > 0) records[a].iterations = std::numeric_limits<std::uint64_t>::max();
  }
  for (std::size_t i = 0; i < workload.launches.size(); ++i) {
    if (!made[i]) continue;
    std::uint64_t& iterations = records[application(static_cast<std::uint32_t>(i))].iterations;
    iterations = std::min(iterations, ended[i]);
  }
  return records;
}

Recorder::Recorder(Host& host, const std::vector<WorkDistributor*>& distributors, const Workload& workload,
                   const Keep& keep, RunResult& result)
    : host_(host), distributors_(distributors), workload_(workload), result_(result),
      tracker_([this](std::uint32_t, std::uint32_t, const std::vector<PredictionRecord>& records) {
        result_.predictions.insert(result_.predictions.end(), records.begin(), records.end());
      }),
      blocks_(distributors.size(), host.clock(), &BlockEnded::heard,
              [this](const BlockEnded& block) {
                result_.blocks.push_back(
                    {block.identity.kernel, block.identity.block, block.identity.sm, block.start, block.end});
              }),
      predicted_kernels_(distributors.size(), host.clock(), &KernelExecuted::at,
                         [this](const KernelExecuted& kernel) { tracker_.kernel_ended(kernel); }),
      slices_(distributors.size(), host.clock(), &SliceEnded::known,
              [this](const SliceEnded& slice) { result_.engine_slices.push_back(slice); }) {
  host.watch(host.core().kernels_ended, [this](const KernelEnded& ended) { kernel_ended(ended); });
  host.watch(host.core().copies_ended, [this](const CopyEnded& ended) { copy_ended(ended); });
  host.watch(host.core().jobs_ended, [this](const JobEnded& ended) { result_.jobs.push_back(ended); });
  host.watch(host.core().jobs_dropped, [this](const JobDropped& dropped) { result_.dropped.push_back(dropped); });
  host.watch(host.core().mode_changes, [this](const ModeChange& change) { result_.mode_changes.push_back(change); });
  for (std::size_t i = 0; i < distributors.size(); ++i) {
    WorkDistributor& distributor = *distributors[i];
    WorkDistributorCore& core = distributor.core();
    if (keep.blocks) distributor.watch(core.blocks_ended, blocks_.from(i));
    if (keep.predictions)
      distributor.watch(core.blocks_ended, [this](const BlockEnded& block) { tracker_.block_ended(block); });
    distributor.watch(core.slices_predicted, [this](const Prediction& prediction) { predicted(prediction); });
    distributor.watch(core.kernels_executed, predicted_kernels_.from(i));
    distributor.watch(core.kernels_executed, [this](const KernelExecuted& kernel) { kernel_executed(kernel); });
    distributor.watch(core.slices(), slices_.from(i));
  }
}

/// The first prediction for an SM is the first of a slice.
void Recorder::predicted(const Prediction& prediction) {
  std::vector<OnSm>& sms = predicted_[prediction.kernel];
  if (sms.size() <= prediction.sm) sms.resize(prediction.sm + 1u);
  OnSm& on = sms[prediction.sm];
  if (on.first == 0) on.first = prediction.predicted;
  on.first_of_last = prediction.predicted;
}

void Recorder::kernel_executed(const KernelExecuted& kernel) {
  const auto predicted = predicted_.find(kernel.identity.kernel);
  if (predicted == predicted_.end()) return;
  Errors first, first_of_last;
  for (std::size_t sm = 0; sm < predicted->second.size(); ++sm) {
    const OnSm& on = predicted->second[sm];
    if (on.first == 0) continue;
    first.add(on.first, kernel.active[sm]);
    first_of_last.add(on.first_of_last, kernel.active[sm]);
  }
  summaries_[kernel.identity.kernel] = {first.count(), first.result(), first_of_last.result()};
  predicted_.erase(predicted);
}

void Recorder::copy_ended(const CopyEnded& ended) { result_.copies.push_back(record_of(ended)); }

void Recorder::kernel_ended(const KernelEnded& ended) {
  KernelRecord record = record_of(ended);
  if (const auto summary = summaries_.find(record.id); summary != summaries_.end()) {
    record.prediction = summary->second;
    summaries_.erase(summary);
  }
  result_.kernels.push_back(record);
}

void Recorder::finish() {
  std::sort(result_.kernels.begin(), result_.kernels.end(),
            [](const KernelRecord& a, const KernelRecord& b) { return a.id < b.id; });
  blocks_.finish();
  slices_.finish();
  predicted_kernels_.finish();
  tracker_.finish();
  std::vector<WorkDistributorCore::Outstanding> outstanding;
  for (const WorkDistributor* const distributor : distributors_) {
    const auto of_one = distributor->core().outstanding();
    outstanding.insert(outstanding.end(), of_one.begin(), of_one.end());
  }
  result_.unfinished = unfinished_kernels(host_.core().running(), outstanding);
  result_.applications = application_records(workload_, result_);
}

void check_cycle_limit(const GpuConfig& config, Cycle limit) {
  const Cycle most = Clock::from_mhz(config.core_mhz).at_or_before(kEndOfTime);
  if (limit == kNever || limit <= most) return;
  throw InputError(
      fmt::format("--max-cycles: found {}, allowed: up to {}, five hours of {}", limit, most, config.name));
}

}  // namespace

RunResult simulate(const GpuConfig& config, const Workload& workload, const RunOptions& options) {
  check_cycle_limit(config, options.cycle_limit);
  RunResult result;
  const Clock clock = Clock::from_mhz(config.core_mhz);
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  Gpu gpu(config, workload, options.window, options.check_protocol, options.durations);
  const std::vector<WorkDistributor*> distributors = gpu.work_distributors();
  if (options.predict || options.keep_predictions) {
    for (WorkDistributor* const distributor : distributors) distributor->core().predict();
  }
  Assembly& assembly = gpu.assembly();
  assembly.set_threads(options.threads);
  Recorder recorder(gpu.host(), distributors, workload, {options.keep_blocks, options.keep_predictions}, result);
  if (options.probes) options.probes->attach(assembly, &workload, clock);
  gpu.make_use_of_spins(workload);

  Progress progress;
  progress.kernels = workload.launches.size();
  for (const LaunchCommand& launch : workload.launches) progress.blocks += launch.kernel->blocks();
  Assembly::Limits limits;
  limits.end = clock.edge(options.cycle_limit);
  limits.proceed = [&](Femtoseconds now) {
    progress.cycles = clock.at_or_before(now);
    progress.blocks_done = 0;
    for (const WorkDistributor* const distributor : distributors)
      progress.blocks_done += distributor->core().blocks_done();
    progress.kernels_done = gpu.host().core().ended();
    return !options.proceed || options.proceed(progress);
  };
  result.state = assembly.run(limits);
  if (options.windows && options.threads > 1) options.windows(assembly.windows().all, assembly.windows().together);

  if (result.state == RunState::kDeadlocked) result.waiting = assembly.waiting();
  const bool complete = result.state == RunState::kComplete;
  const Cycle reached = clock.at_or_before(complete ? assembly.end() : now_fs());
  gpu.collect(result, reached);  // units that have not computed up to `reached` do so
  recorder.finish();
  if (options.probes) options.probes->finish(clock.edge(reached));
  result.cycles = complete && !workload.relaunches() ? 0 : reached;
  for (const KernelRecord& kernel : result.kernels) result.cycles = std::max(result.cycles, kernel.end);
  for (const CopyRecord& copy : result.copies) result.cycles = std::max(result.cycles, copy.ended);
  result.checked_sockets = assembly.checkers().size();
  result.checked_transactions = assembly.checked_transactions();
  return result;
}

}  // namespace gputlm
