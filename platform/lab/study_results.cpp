#include "platform/lab/study_results.h"

#include <algorithm>

#include "platform/input/application_alone.h"
#include "platform/lab/metrics.h"
#include "platform/run/check_fits.h"
#include "platform/run/memory_estimate.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

/// Cycles from the first release of an application's launches to the end of its last block, the first time.
Cycle cycles_of(const RunResult& result, const Workload& workload, ApplicationId application) {
  Cycle released = kNever;
  for (const KernelRecord& k : result.kernels) {
    if (k.iteration > 0 || workload.streams[workload.launches[k.command].stream].application != application) continue;
    released = std::min(released, k.released);
  }
  const Cycle end = result.applications[application].first_end;
  return released == kNever || end == kNever ? 0 : end - released;
}

}  // namespace

StudyRuns::StudyRuns(const Study& study, Bytes memory) {
  for (const StudyPoint& point : study.points()) {
    const Workload& workload = study.workload(point);
    Run run{study.config(point), workload};
    run.keep_blocks = false;
    check_fits(run.config, run.workload);
    check_memory(run.config, {run.config.name, 0}, {}, run.workload, memory);
    sweep_.add({point, std::nullopt}, run);
    if (!study.alone() || workload.applications.size() < 2) continue;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const auto application = static_cast<ApplicationId>(a);
      run.workload = application_alone(workload, application);
      sweep_.add({point, application}, run);
    }
  }
}

std::vector<StudyOutcome> StudyRuns::outcomes() const {
  std::vector<StudyOutcome> outcomes;
  for (const Key& key : sweep_.keys()) {
    if (key.second) continue;
    const RunResult& result = sweep_.result(key);
    const Workload& workload = sweep_.request(key).workload;
    StudyOutcome outcome;
    outcome.point = key.first;
    outcome.id = sweep_.request(key).job().id;
    outcome.digests = sweep_.request(key).digests();
    outcome.cycles = result.cycles;
    std::vector<double> slowdowns;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const auto id = static_cast<ApplicationId>(a);
      const ApplicationRecord& record = result.applications[a];
      ApplicationOutcome application;
      application.name = workload.applications[a].name;
      application.cycles = cycles_of(result, workload, id);
      application.iterations = record.iterations;
      application.instructions = record.counters.instructions;
      application.ipc = ipc(result, id);
      if (const Key alone{key.first, id}; sweep_.has(alone)) {
        const Cycle cycles = cycles_of(sweep_.result(alone), sweep_.request(alone).workload, 0);
        application.slowdown = slowdown(static_cast<double>(application.cycles), static_cast<double>(cycles));
        slowdowns.push_back(*application.slowdown);
      }
      outcome.applications.push_back(std::move(application));
    }
    if (!slowdowns.empty()) {
      outcome.stp = stp(slowdowns);
      outcome.antt = antt(slowdowns);
      outcome.strictf = strictf(slowdowns);
    }
    for (const KernelRecord& kernel : result.kernels) {
      const StreamSpec& stream = workload.streams[workload.launches[kernel.command].stream];
      outcome.launches.push_back({launch_label(workload, kernel.command, kernel.iteration),
                                  workload.applications[stream.application].name, stream.name, kernel});
    }
    const Clock clock = Clock::from_mhz(sweep_.request(key).config.core_mhz);
    outcome.responses = all_responses(result, workload, clock);
    if (workload.has_modes()) {
      const CriticalityOutcome& modes = outcome.criticality.emplace(criticality_outcome(result, workload, clock));
      outcome.missed_hi = static_cast<double>(modes.missed(workload, Criticality::kHi));
      outcome.missed_lo = static_cast<double>(modes.missed(workload, Criticality::kLo));
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

}  // namespace gputlm
