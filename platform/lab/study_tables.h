/// The results of a study as tables, for readers and for other programs.
#pragma once

#include <string>
#include <vector>

#include "platform/files/rows.h"
#include "platform/lab/study_baseline.h"
#include "platform/lab/study_results.h"

namespace gputlm {

/// A column that identifies the point of a line: its name, the number of its values in the study, and its value.
struct PointColumn {
  std::string name;
  std::size_t values;
  std::string (*of)(const Study& study, const StudyPoint& point, std::size_t axis);
  std::size_t axis = 0;
};
/// GPU, each parameter that is varied, workload, seed.
std::vector<PointColumn> study_columns(const Study& study, bool seeds = true);
/// The same for the reference, without the parameters. `by_run`, `seeds`: as StudyTable has them.
std::vector<TableColumn> described_study_columns(bool by_run, bool seeds = true);
/// The cells that identify the point of a row. `over_workloads`: the row is a mean over the workloads.
std::vector<Cell> point_cells(const Study& study, const StudyPoint& point, const std::vector<PointColumn>& columns,
                              bool over_workloads = false);

/// A line that identifies a run.
std::string run_text(const Study& study, const StudyRuns::Key& key);

/// A table for a reader, without columns that do not vary in the study.
struct StudyView {
  std::string title;  ///< a sentence, or empty
  Table table;
  std::string note = {};  ///< printed below the table
};
/// Makes a StudyView. Its first columns identify the point of a row; only the first row of a point has values in them.
class ViewOfPoints {
 public:
  /// `names`, `numbers`: the next columns; a number may be an interval. `digits`: decimals of real numbers. Without `seeds`,
  /// a row summarises all seeds.
  ViewOfPoints(const Study& study, std::string title, const std::vector<const char*>& names,
               const std::vector<const char*>& numbers, bool seeds = true, int digits = 3);
  void add_words(const char* name) { columns_.push_back({name}); }
  void add_numbers(const std::vector<const char*>& names, int digits = 3);
  /// Begins the rows of a point. `over_workloads`: they are means over the workloads.
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

/// Views of the applications of each run, and of its tasks if there are any; with several seeds also of the means of both,
/// with their confidence intervals.
std::vector<StudyView> study_views(const Study& study, const std::vector<StudyOutcome>& outcomes,
                                   const std::vector<StudySummary>& summaries);
/// The main metrics of the study relative to the baseline.
StudyView baseline_view(const Study& study, const Baseline& baseline, const std::vector<BaselineComparison>& all);

/// Rows, each after the columns that identify its run or point.
template <class Row>
class StudyTable {
 public:
  /// `by_run`: the first column is a run's id. Without `seeds`, a row summarises all seeds.
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

/// Registers its file for the reference.
template <class Row>
void add_study_table(const std::string& file, const std::string& description, bool by_run, bool seeds = true) {
  std::vector<TableColumn> columns = described_study_columns(by_run, seeds);
  for (TableColumn& column : row_columns<Row>()) columns.push_back(std::move(column));
  row_tables().add({{file + " of a sweep"},
                    description + "; the columns of the varied parameters are between `gpu` and `workload`",
                    std::move(columns)});
}

/// One line per run and application, per run and launch, per line of a run's responses.csv, per figure, and per figure
/// relative to the baseline.
std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes);
std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries);
std::string baseline_csv(const Study& study, const std::vector<BaselineComparison>& all);

}  // namespace gputlm
