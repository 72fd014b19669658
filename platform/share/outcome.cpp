#include "platform/share/outcome.h"

#include <algorithm>
#include <numeric>

#include "models/dram/statistics.h"
#include "models/sm/sm_model.h"
#include "platform/lab/metrics.h"
#include "platform/probes/response_groups.h"

namespace gputlm {
namespace {

struct Judged {
  bool has_tasks = false;
  JobTimes times;
  std::vector<TimeThrough> through;
  double length() const {
    double sum = 0;
    for (const TimeThrough& time : through) sum += static_cast<double>(time.end - time.start);
    return through.empty() ? 0 : sum / static_cast<double>(through.size());
  }
};

void count_jobs(const RunResult& result, const Run& run, ApplicationId application, Judged& judged,
                std::vector<Cycle>& times) {
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  for (const JobEnded& job : result.jobs) {
    const TaskSpec& task = run.workload.tasks[run.workload.jobs[job.job].task];
    if (task.application != application || job.iteration >= judged.through.size()) continue;
    const Response response(job.released, job.notified, task.deadline, clock);
    times.push_back(response.cycles);
    if (!response.deadline) continue;
    ++judged.times.deadlines;
    judged.times.missed += !*response.met();
  }
}

Judged judged(const RunResult& result, const Run& run, ApplicationId application) {
  Judged judged;
  judged.through = times_through(result, run, application);
  judged.has_tasks = std::any_of(run.workload.tasks.begin(), run.workload.tasks.end(),
                                 [&](const TaskSpec& task) { return task.application == application; });
  std::vector<Cycle> times;
  if (judged.has_tasks) {
    count_jobs(result, run, application, judged, times);
  } else {
    for (const TimeThrough& time : judged.through) times.push_back(time.end - time.start);
  }
  judged.times.jobs = times.size();
  if (times.empty()) return judged;
  std::sort(times.begin(), times.end());
  const auto at = [&](Quantile quantile) { return times[nearest_rank(times.size(), quantile) - 1]; };
  judged.times.p50 = at({1, 2});
  judged.times.p99 = at({99, 100});
  judged.times.most = times.back();
  judged.times.mean = std::accumulate(times.begin(), times.end(), 0.0) / static_cast<double>(times.size());
  return judged;
}

std::optional<double> over(double together, double alone) {
  if (alone <= 0 || together <= 0) return std::nullopt;
  return together / alone;
}

ProgramOutcome outcome_of(const std::string& name, const Judged& together, const Judged& alone) {
  ProgramOutcome outcome;
  outcome.program = name;
  outcome.has_tasks = together.has_tasks;
  outcome.times = together.times;
  outcome.through = together.through.size();
  outcome.length = together.length();
  const auto ratio_of = [&](Cycle JobTimes::*member) {
    return over(static_cast<double>(together.times.*member), static_cast<double>(alone.times.*member));
  };
  outcome.p50_over = ratio_of(&JobTimes::p50);
  outcome.p99_over = ratio_of(&JobTimes::p99);
  outcome.most_over = ratio_of(&JobTimes::most);
  outcome.throughput = over(alone.length(), together.length());
  return outcome;
}

WayOutcome use_of(const std::string& way, const RunResult& result, const Run& run) {
  WayOutcome outcome;
  outcome.way = way;
  outcome.core_mhz = static_cast<double>(run.config.core_mhz);
  outcome.cycles = result.cycles;
  const auto sms = result.units.all<SmStatistics>();
  Cycle active = 0;
  for (const SmStatistics& sm : sms) active += sm.active_cycles;
  outcome.sms = ratio(static_cast<double>(active), static_cast<double>(result.cycles) * run.config.sms);
  if (!sends_accesses(run.config.sm.model)) return outcome;
  const auto dram = result.units.total<DramStatistics>();
  double useful = 0;
  for (const auto& application : dram.applications) useful += static_cast<double>(application.useful);
  outcome.dram = ratio(useful, static_cast<double>(dram.cycles));
  return outcome;
}

}  // namespace

std::vector<TimeThrough> times_through(const RunResult& result, const Run& run, ApplicationId application) {
  const Workload& workload = run.workload;
  const Clock clock = Clock::from_mhz(run.config.core_mhz);
  std::vector<TimeThrough> times(result.applications[application].iterations);
  for (const KernelRecord& kernel : result.kernels) {
    const LaunchCommand& launch = workload.launches[kernel.command];
    if (workload.streams[launch.stream].application != application || kernel.iteration >= times.size()) continue;
    TimeThrough& time = times[kernel.iteration];
    time.end = std::max(time.end, kernel.notified);
    if (kernel.iteration > 0) time.start = kernel.released - clock.at_or_after(launch.release);
  }
  for (const CopyRecord& copy : result.copies) {
    const CopyCommand& command = workload.copies[copy.command];
    if (workload.streams[command.stream].application != application || copy.iteration >= times.size()) continue;
    times[copy.iteration].end = std::max(times[copy.iteration].end, copy.notified);
  }
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i].start == 0) times[i].start = times[i - 1].end;  // it has only copies
  }
  return times;
}

WayOutcome share_outcome(const ShareStudy& study, const std::string& way) {
  const RunResult& result = study.together_result(way);
  const Run& run = study.together(way);
  WayOutcome outcome = use_of(way, result, run);
  for (std::size_t p = 0; p < study.programs().size(); ++p) {
    outcome.programs.push_back(outcome_of(study.programs()[p].name, judged(result, run, static_cast<ApplicationId>(p)),
                                          judged(study.alone_result(p), study.alone(p), 0)));
  }
  return outcome;
}

std::vector<WayOutcome> share_outcomes(const ShareStudy& study) {
  std::vector<WayOutcome> all;
  for (std::size_t p = 0; p < study.programs().size(); ++p) {
    const Judged alone = judged(study.alone_result(p), study.alone(p), 0);
    WayOutcome outcome = use_of("alone", study.alone_result(p), study.alone(p));
    outcome.programs.push_back(outcome_of(study.programs()[p].name, alone, alone));
    all.push_back(std::move(outcome));
  }
  for (const SharingWay& way : study.ways()) all.push_back(share_outcome(study, way.name));
  return all;
}

}  // namespace gputlm
