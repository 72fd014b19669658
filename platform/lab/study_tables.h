/// What came out of a study, for readers and for other programs.
#pragma once

#include <string>
#include <vector>

#include "platform/files/rows.h"
#include "platform/lab/study_baseline.h"
#include "platform/lab/study_results.h"

namespace gputlm {

/// A column that says which point a line is of: its name, the number of values it has in the study, and its value.
struct PointColumn {
  std::string name;
  std::size_t values;
  std::string (*of)(const Study& study, const StudyPoint& point, std::size_t axis);
  std::size_t axis = 0;
};
/// GPU, each parameter that is varied, workload, seed.
std::vector<PointColumn> study_columns(const Study& study, bool seeds = true);
/// The cells that say which point a row is of. `over_workloads`: it is of the mean over them.
std::vector<Cell> point_cells(const Study& study, const StudyPoint& point, const std::vector<PointColumn>& columns,
                              bool over_workloads = false);

/// Which run it is, in a line.
std::string run_text(const Study& study, const StudyRuns::Key& key);

/// A table for a reader; what does not vary in the study is left out.
struct StudyView {
  std::string title;  ///< a sentence, or empty
  Table table;
  std::string note = {};  ///< behind it
};
/// Makes one. The columns that say which point a row is of come first, and have something in the first row of a point only.
class ViewOfPoints {
 public:
  /// `names`, `numbers`: the columns behind those, the latter also where they are intervals. `digits`: of real ones. Without
  /// seeds, rows are of all of them.
  ViewOfPoints(const Study& study, std::string title, const std::vector<const char*>& names,
               const std::vector<const char*>& numbers, bool seeds = true, int digits = 3);
  void add_words(const char* name) { columns_.push_back({name}); }
  void add_numbers(const std::vector<const char*>& names, int digits = 3);
  /// Rows from here on are of this point. `over_workloads`: of the mean over them.
  void begin(const StudyPoint& point, bool over_workloads = false);
  bool is_first() const { return !point_.empty(); }
  void add(std::vector<Cell> cells);
  bool empty() const { return rows_.empty(); }
  StudyView view(std::string note = "") const;

 private:
  const Study& study_;
  std::string title_;
  std::vector<PointColumn> points_;
  std::vector<TableColumn> columns_;
  std::vector<Cell> point_;  ///< cells of the point whose first row is yet to come
  std::vector<std::vector<Cell>> rows_;
};

/// Applications of each run; tasks of each run, where there are some; with several seeds the means of both with their confidence
/// intervals.
std::vector<StudyView> study_views(const Study& study, const std::vector<StudyOutcome>& outcomes,
                                   const std::vector<StudySummary>& summaries);
/// What the study is judged by, over the baseline.
StudyView baseline_view(const Study& study, const Baseline& baseline, const std::vector<BaselineComparison>& all);

/// Rows behind the columns that say which run or point they are of.
template <class Row>
class StudyTable {
 public:
  /// `by_run`: the first column is a run's id; without seeds, rows are of all of them.
  StudyTable(const Study& study, bool by_run, bool seeds = true)
      : study_(study), points_(study_columns(study, seeds)), by_run_(by_run), table_(columns()) {}
  void add(const std::string& run, const StudyPoint& point, const Row& row, bool over_workloads = false) {
    std::vector<Cell> cells = point_cells(study_, point, points_, over_workloads);
    if (by_run_) cells.insert(cells.begin(), run);
    for (Cell& cell : row_cells(row)) cells.push_back(std::move(cell));
    table_.add(std::move(cells));
  }
  std::string csv() const { return table_.csv(); }

 private:
  std::vector<TableColumn> columns() const {
    std::vector<TableColumn> columns;
    if (by_run_) columns.push_back({"run"});
    for (const PointColumn& point : points_) columns.push_back({point.name});
    for (TableColumn& column : row_columns<Row>()) columns.push_back(std::move(column));
    return columns;
  }

  const Study& study_;
  std::vector<PointColumn> points_;
  bool by_run_;
  Table table_;
};

/// A line a run and application, a line a run and launch, a line for each of a run whose response times are told, and a
/// line a figure, as it is and over the baseline.
std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries);
std::string baseline_csv(const Study& study, const std::vector<BaselineComparison>& all);

}  // namespace gputlm
