/// What came out of a study, for readers and for other programs.
#pragma once

#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/study_baseline.h"
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

/// Those of a table for a reader: what does not vary is left out, names are short.
std::vector<PointColumn> shown_columns(const Study& study);

/// Which run it is, in a line.
std::string run_text(const Study& study, const StudyRuns::Key& key);

/// A table for a reader; what does not vary in the study is left out.
struct StudyView {
  std::string title;  ///< a sentence, or empty
  Table table;
  std::string note = {};  ///< behind it
};
/// Applications of each run; tasks of each run, where there are some; with several seeds the means of both with their confidence
/// intervals.
std::vector<StudyView> study_views(const Study& study, const std::vector<StudyOutcome>& outcomes,
                                   const std::vector<StudySummary>& summaries);
/// What the study is judged by, over the baseline.
StudyView baseline_view(const Study& study, const Baseline& baseline, const std::vector<BaselineComparison>& all);

/// A line a run and application, a line a run and launch, a line for each of a run whose response times are told, and a
/// line a figure, as it is and over the baseline.
std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries);
std::string baseline_csv(const Study& study, const std::vector<BaselineComparison>& all);

}  // namespace gputlm
