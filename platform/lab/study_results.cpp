#include "platform/lab/study_results.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "platform/input/application_alone.h"
#include "platform/lab/metrics.h"
#include "platform/run/check_fits.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

/// Cycles from the first release of an application's launches to the first end of its last block.
Cycle cycles_of(const RunResult& result, const Workload& workload, ApplicationId application) {
  Cycle released = kNever;
  for (const KernelRecord& k : result.kernels) {
    if (k.iteration > 0 || workload.streams[workload.launches[k.command].stream].application != application) continue;
    released = std::min(released, k.released);
  }
  const Cycle end = result.applications[application].first_end;
  return released == kNever || end == kNever ? 0 : end - released;
}

using MaybeNumber = std::optional<double>;

template <class Outcome>
using MetricOf = std::pair<const char*, MaybeNumber (*)(const Outcome&)>;

constexpr MetricOf<StudyOutcome> kOfRun[] = {
    {"run_cycles", [](const StudyOutcome& o) -> MaybeNumber { return static_cast<double>(o.cycles); }},
    {"stp", [](const StudyOutcome& o) { return o.stp; }},
    {"antt", [](const StudyOutcome& o) { return o.antt; }},
    {"strictf", [](const StudyOutcome& o) { return o.strictf; }},
    {"mode_changes",
     [](const StudyOutcome& o) {
       return o.criticality ? MaybeNumber(static_cast<double>(o.criticality->changes)) : std::nullopt;
     }},
    {"hi_mode_cycles",
     [](const StudyOutcome& o) {
       return o.criticality ? MaybeNumber(static_cast<double>(o.criticality->hi_mode)) : std::nullopt;
     }},
    {"dropped",
     [](const StudyOutcome& o) {
       return o.criticality ? MaybeNumber(static_cast<double>(o.criticality->dropped())) : std::nullopt;
     }},
    {"missed_hi", [](const StudyOutcome& o) { return o.missed_hi; }},
    {"missed_lo", [](const StudyOutcome& o) { return o.missed_lo; }}};
constexpr MetricOf<ApplicationOutcome> kOfApplication[] = {
    {"cycles", [](const ApplicationOutcome& a) -> MaybeNumber { return static_cast<double>(a.cycles); }},
    {"ipc", [](const ApplicationOutcome& a) -> MaybeNumber { return a.ipc; }},
    {"slowdown", [](const ApplicationOutcome& a) { return a.slowdown; }}};

/// None if no job has ended.
template <class T>
MaybeNumber of_jobs(const ResponseGroup& group, T Responses::*member) {
  return group.responses.jobs > 0 ? MaybeNumber(static_cast<double>(group.responses.*member)) : std::nullopt;
}
constexpr MetricOf<ResponseGroup> kOfJobs[] = {
    {"p50_cycles", [](const ResponseGroup& g) { return of_jobs(g, &Responses::p50); }},
    {"p99_cycles", [](const ResponseGroup& g) { return of_jobs(g, &Responses::p99); }},
    {"max_cycles", [](const ResponseGroup& g) { return of_jobs(g, &Responses::most); }},
    {"missed", [](const ResponseGroup& g) {
       return g.responses.deadlines > 0 ? MaybeNumber(static_cast<double>(g.responses.missed)) : std::nullopt;
     }}};

/// Figures of the metrics that every seed has. Some seeds lack a metric if no application ran alone, or no job has ended.
template <class Metrics, class OutcomeOf>
void add(std::vector<StudySubjectFigures>& subjects, StudySubject subject, const Metrics& metrics, std::size_t runs,
         OutcomeOf outcome_of) {
  std::vector<StudyFigure> figures;
  for (const auto& [name, value_of] : metrics) {
    std::vector<double> values;
    for (std::size_t run = 0; run < runs; ++run) {
      if (const MaybeNumber value = value_of(outcome_of(run))) values.push_back(*value);
    }
    if (values.size() < runs) continue;
    Estimate of_seeds = estimate(values);
    figures.push_back({name, std::move(values), of_seeds});
  }
  if (!figures.empty()) subjects.push_back({std::move(subject), std::move(figures)});
}

/// The subjects that every run has under the same name.
template <class Outcomes>
void add_groups(std::vector<StudySubjectFigures>& subjects, StudySubject::Kind kind, const Workload& workload,
                std::size_t runs, const Outcomes& outcomes, std::vector<ResponseGroup> AllResponses::*member,
                std::uint64_t least_jobs) {
  const std::vector<ResponseGroup>& first = outcomes[0].responses.*member;
  for (std::size_t g = 0; g < first.size(); ++g) {
    const auto fits = [&](std::size_t run) {
      const auto& groups = outcomes[static_cast<std::ptrdiff_t>(run)].responses.*member;
      return g < groups.size() && groups[g].name == first[g].name && groups[g].application == first[g].application;
    };
    bool all_fit = first[g].responses.jobs >= least_jobs;
    for (std::size_t run = 1; run < runs && all_fit; ++run) all_fit = fits(run);
    if (!all_fit) continue;
    add(
        subjects, {kind, first[g].name, workload.applications[first[g].application].name}, kOfJobs,
        runs, [&](std::size_t run) -> const auto& {
          return (outcomes[static_cast<std::ptrdiff_t>(run)].responses.*member)[g];
        });
  }
}

}  // namespace

StudyRuns::StudyRuns(const Study& study, Bytes memory) {
  for (const StudyPoint& point : study.points()) {
    const Workload& workload = study.workload(point);
    Run run{study.config(point), workload};
    run.keep_blocks = false;
    check_fits(run.config, run.workload);
    check_memory(run.config, {run.config.name, 0}, {}, run.workload, memory);
    runs_.add({point, std::nullopt}, run);
    if (!study.alone() || workload.applications.size() < 2) continue;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const auto application = static_cast<ApplicationId>(a);
      run.workload = application_alone(workload, application);
      runs_.add({point, application}, run);
    }
  }
}

std::vector<StudyOutcome> StudyRuns::outcomes() const {
  std::vector<StudyOutcome> outcomes;
  for (const Key& key : runs_.keys()) {
    if (key.second) continue;
    const RunResult& result = runs_.result(key);
    const Workload& workload = runs_.request(key).workload;
    StudyOutcome outcome;
    outcome.point = key.first;
    outcome.id = runs_.request(key).job().id;
    outcome.digests = runs_.request(key).digests();
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
      if (const Key alone{key.first, id}; runs_.has(alone)) {
        const Cycle cycles = cycles_of(runs_.result(alone), runs_.request(alone).workload, 0);
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
    const Clock clock = Clock::from_mhz(runs_.request(key).config.core_mhz);
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

const char* to_string(StudySubject::Kind kind) {
  switch (kind) {
    case StudySubject::Kind::kRun: return "run";
    case StudySubject::Kind::kApplication: return "application";
    case StudySubject::Kind::kTask: return "task";
    case StudySubject::Kind::kLaunch: return "launch";
  }
  return "";
}

bool StudyFigure::varies() const {
  return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

const StudyFigure* StudySummary::find(const StudySubject& subject, const std::string& metric) const {
  for (const StudySubjectFigures& one : subjects) {
    if (!(one.subject == subject)) continue;
    for (const StudyFigure& figure : one.figures) {
      if (figure.metric == metric) return &figure;
    }
  }
  return nullptr;
}

bool StudySummary::varies() const {
  return std::any_of(subjects.begin(), subjects.end(), [](const StudySubjectFigures& subject) {
    return std::any_of(subject.figures.begin(), subject.figures.end(), [](const StudyFigure& f) { return f.varies(); });
  });
}

std::vector<StudySummary> study_summaries(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  std::vector<StudySummary> summaries;
  const std::size_t seeds = study.seeds().size();
  for (auto first = outcomes.begin(); first != outcomes.end(); first += static_cast<std::ptrdiff_t>(seeds)) {
    StudySummary& summary = summaries.emplace_back();
    summary.point = first->point;
    const auto run_of = [&](std::size_t run) -> const auto& { return first[static_cast<std::ptrdiff_t>(run)]; };
    add(summary.subjects, {}, kOfRun, seeds, run_of);
    for (std::size_t a = 0; a < first->applications.size(); ++a) {
      const std::string& name = first->applications[a].name;
      add(
          summary.subjects, {StudySubject::Kind::kApplication, name, name}, kOfApplication,
          seeds, [&](std::size_t run) -> const auto& { return run_of(run).applications[a]; });
    }
    const Workload& workload = study.workload(summary.point);
    add_groups(summary.subjects, StudySubject::Kind::kTask, workload, seeds, first, &AllResponses::tasks, 1);
    add_groups(summary.subjects, StudySubject::Kind::kLaunch, workload, seeds, first, &AllResponses::launches, 2);
  }
  return summaries;
}

}  // namespace gputlm
