/// What came out of a study, for readers and for other programs.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/study_results.h"
#include "platform/lab/study_summary.h"

namespace gputlm {

/// A column that says which point a line is of: its name, the number of values it has in the study, and its value.
struct PointColumn {
  std::string name;
  std::size_t values;
  std::string (*of)(const Study& study, const StudyPoint& point, std::size_t axis);
  std::size_t axis = 0;
};
/// GPU, each parameter that is varied, workload, seed.
std::vector<PointColumn> study_columns(const Study& study);

/// Which run it is, in a line.
std::string run_text(const Study& study, const StudyRuns::Key& key);

/// A table for a reader; what does not vary is left out.
std::string study_table(const Study& study, const std::vector<StudyOutcome>& outcomes);
/// Means over the seeds with their confidence intervals; empty where there is one seed.
std::string summary_table(const Study& study, const std::vector<StudySummary>& summaries);

/// A line a run and application, a line a run and launch, a line for each of a run whose response times are told, and a
/// line a figure.
std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries);

}  // namespace gputlm
