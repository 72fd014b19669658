#include "platform/lab/study_summary.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace gputlm {
namespace {

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

/// None where no job has ended.
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

/// Of the metrics that every seed has: some are none where no application ran alone, or no job has ended.
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

/// Those that every run has under the same name.
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
