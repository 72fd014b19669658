#include "platform/lab/study_summary.h"

#include <cstddef>
#include <optional>
#include <utility>

namespace gputlm {
namespace {

using Metric = std::pair<const char*, std::optional<double> (*)(const StudyOutcome&)>;
using ApplicationMetric = std::pair<const char*, std::optional<double> (*)(const ApplicationOutcome&)>;

constexpr Metric kOfRun[] = {
    {"run_cycles", [](const StudyOutcome& o) -> std::optional<double> { return static_cast<double>(o.cycles); }},
    {"stp", [](const StudyOutcome& o) { return o.stp; }},
    {"antt", [](const StudyOutcome& o) { return o.antt; }},
    {"strictf", [](const StudyOutcome& o) { return o.strictf; }}};
constexpr ApplicationMetric kOfApplication[] = {
    {"cycles", [](const ApplicationOutcome& a) -> std::optional<double> { return static_cast<double>(a.cycles); }},
    {"ipc", [](const ApplicationOutcome& a) -> std::optional<double> { return a.ipc; }},
    {"slowdown", [](const ApplicationOutcome& a) { return a.slowdown; }}};

/// Of the metrics that there are: some are none where no application ran alone.
template <class Metrics, class OutcomeOf>
std::vector<StudyFigure> figures_of(const Metrics& metrics, std::size_t runs, OutcomeOf outcome_of) {
  std::vector<StudyFigure> figures;
  for (const auto& [name, value_of] : metrics) {
    std::vector<double> values;
    for (std::size_t run = 0; run < runs; ++run) {
      if (const std::optional<double> value = value_of(outcome_of(run))) values.push_back(*value);
    }
    if (!values.empty()) figures.push_back({name, estimate(values)});
  }
  return figures;
}

}  // namespace

std::vector<StudySummary> study_summaries(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  std::vector<StudySummary> summaries;
  const std::size_t seeds = study.seeds().size();
  for (auto first = outcomes.begin(); first != outcomes.end(); first += static_cast<std::ptrdiff_t>(seeds)) {
    StudySummary& summary = summaries.emplace_back();
    summary.point = first->point;
    summary.figures = figures_of(
        kOfRun, seeds, [&](std::size_t run) -> const auto& { return first[run]; });
    for (std::size_t a = 0; a < first->applications.size(); ++a) {
      summary.applications.push_back(
          {first->applications[a].name,
           figures_of(
               kOfApplication, seeds, [&](std::size_t run) -> const auto& { return first[run].applications[a]; })});
    }
  }
  return summaries;
}

}  // namespace gputlm
