#include "platform/lab/study_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/files/rows.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

/// The columns of a terminal's tables: names, and numbers, also where they are intervals.
std::vector<TableColumn> shown(const Study& study, const std::vector<PointColumn>& points) {
  constexpr auto kName = Column::Form::kName, kNumber = Column::Form::kNumber;
  std::vector<TableColumn> columns;
  // Of a parameter the last part: the whole key makes a column wider than most values.
  for (const PointColumn& point : points)
    columns.push_back({point.name.substr(point.name.rfind('.') + 1), "", "", "", -1, kName});
  columns.push_back({"application", "", "", "", -1, kName});
  for (const char* name : {"cycles", "IPC"}) columns.push_back({name, "", "", "", 3, kNumber});
  if (study.alone()) {
    for (const char* name : {"slowdown", "STP", "ANTT", "StrictF"}) columns.push_back({name, "", "", "", 3, kNumber});
  }
  return columns;
}

/// The cells that say which point a line is of.
std::vector<Cell> cells_of(const Study& study, const StudyPoint& point, const std::vector<PointColumn>& columns) {
  std::vector<Cell> cells;
  for (const PointColumn& column : columns) cells.emplace_back(column.of(study, point, column.axis));
  return cells;
}

/// Those of a table for a reader: what does not vary is left out.
std::vector<PointColumn> shown_columns(const Study& study) {
  std::vector<PointColumn> columns = study_columns(study);
  columns.erase(std::remove_if(columns.begin(), columns.end(), [](const PointColumn& c) { return c.values < 2; }),
                columns.end());
  return columns;
}

/// An application of a run in applications.csv.
struct ApplicationLine {
  const StudyOutcome& run;
  const ApplicationOutcome& application;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.part([](const ApplicationLine& l) -> const ApplicationOutcome& { return l.application; });
    v.part([](const ApplicationLine& l) -> const StudyOutcome& { return l.run; });
  }
};

/// A metric of a summary, and whose it is.
struct SummaryLine {
  const std::string& application;
  const StudyFigure& figure;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const SummaryLine& l) -> const std::string& { return l.application; }, "application", Value{},
            "By name; empty: of the run");
    v.field([](const SummaryLine& l) -> const std::string& { return l.figure.metric; }, "metric", Value{},
            "A column of applications.csv");
    v.part([](const SummaryLine& l) -> const Estimate& { return l.figure.estimate; });
  }
};

/// Rows behind the columns that say which run or point they are of.
template <class Row>
class StudyTable {
 public:
  StudyTable(const Study& study, std::vector<PointColumn> points, bool by_run)
      : study_(study), points_(std::move(points)), by_run_(by_run), table_(columns()) {}
  void add(const std::string& run, const StudyPoint& point, const Row& row) {
    std::vector<Cell> cells = cells_of(study_, point, points_);
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

GPUTLM_REGISTER {
  const std::string of_run =
      "; behind the id of the run, the GPU, each parameter that is varied, the workload and the seed";
  add_row_table<ApplicationLine>("applications.csv of a sweep", "An application of a run" + of_run);
  add_row_table<StudyLaunch>("launches.csv of a sweep", "A launch of a run" + of_run);
  add_row_table<ResponseRow>("responses.csv of a sweep", "A line of a run's responses.csv" + of_run);
  add_row_table<SummaryLine>("summary.csv of a sweep",
                             "A metric over the seeds; behind the GPU, each parameter that is varied and the workload");
}

}  // namespace

std::vector<PointColumn> study_columns(const Study& study) {
  std::vector<PointColumn> columns{
      {"gpu", study.gpus().size(), [](const Study& s, const StudyPoint& p, std::size_t) { return s.gpus()[p.gpu]; }}};
  for (std::size_t a = 0; a < study.axes().size(); ++a) {
    columns.push_back(
        {study.axes()[a].parameter, study.axes()[a].values.size(),
         [](const Study& s, const StudyPoint& p, std::size_t axis) { return s.axes()[axis].values[p.settings[axis]]; },
         a});
  }
  columns.push_back({"workload", study.workloads().size(),
                     [](const Study& s, const StudyPoint& p, std::size_t) { return s.workloads()[p.workload]; }});
  columns.push_back({"seed", study.seeds().size(), [](const Study& s, const StudyPoint& p, std::size_t) {
                       return std::to_string(s.seeds()[p.seed]);
                     }});
  return columns;
}

std::string run_text(const Study& study, const StudyRuns::Key& key) {
  const auto& [point, application] = key;
  std::string text;
  for (const PointColumn& column : study_columns(study)) {
    text += (text.empty() ? "" : " ") + column.name + "=" + column.of(study, point, column.axis);
  }
  return application ? text + " (" + study.workload(point).applications[*application].name + " alone)" : text;
}

std::string study_table(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  const std::vector<PointColumn> points = shown_columns(study);
  Table table(shown(study, points));
  for (const StudyOutcome& outcome : outcomes) {
    bool first = true;
    for (const ApplicationOutcome& a : outcome.applications) {
      std::vector<Cell> row = first ? cells_of(study, outcome.point, points) : std::vector<Cell>(points.size());
      row.insert(row.end(), {a.name, a.cycles, a.ipc, a.slowdown});
      if (first) row.insert(row.end(), {outcome.stp, outcome.antt, outcome.strictf});
      table.add(std::move(row));
      first = false;
    }
  }
  return table.text();
}

std::string summary_table(const Study& study, const std::vector<StudySummary>& summaries) {
  if (study.seeds().size() < 2) return "";
  std::vector<PointColumn> points = shown_columns(study);
  points.pop_back();  // the seed
  Table table(shown(study, points));
  const auto interval = [](const StudyFigure& f) {
    const int digits = f.metric == "cycles" ? 1 : 3;
    return fmt::format("{:.{}f} +- {:.{}f}", f.estimate.mean, digits, f.estimate.half_width.value_or(0), digits);
  };
  for (const StudySummary& summary : summaries) {
    bool first = true;
    for (const StudySummary::Application& application : summary.applications) {
      std::vector<Cell> row = first ? cells_of(study, summary.point, points) : std::vector<Cell>(points.size());
      row.emplace_back(application.name);
      for (const StudyFigure& f : application.figures) row.emplace_back(interval(f));
      for (const StudyFigure& f : summary.figures) {
        if (first && f.metric != "run_cycles") row.emplace_back(interval(f));
      }
      table.add(std::move(row));
      first = false;
    }
  }
  return fmt::format("Means of {} seeds, with {:.0f} % confidence intervals (Student's t):\n{}", study.seeds().size(),
                     100 * kConfidence, table.text());
}

std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<ApplicationLine> table(study, study_columns(study), true);
  for (const StudyOutcome& run : outcomes) {
    for (const ApplicationOutcome& application : run.applications) table.add(run.id, run.point, {run, application});
  }
  return table.csv();
}

std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<StudyLaunch> table(study, study_columns(study), true);
  for (const StudyOutcome& run : outcomes) {
    for (const StudyLaunch& launch : run.launches) table.add(run.id, run.point, launch);
  }
  return table.csv();
}

std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<ResponseRow> table(study, study_columns(study), true);
  for (const StudyOutcome& run : outcomes)
    for_each_response(run.responses, study.workload(run.point),
                      [&](const ResponseRow& row) { table.add(run.id, run.point, row); });
  return table.csv();
}

std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries) {
  std::vector<PointColumn> points = study_columns(study);
  points.pop_back();  // the seed
  StudyTable<SummaryLine> table(study, std::move(points), false);
  for (const StudySummary& summary : summaries) {
    const auto add = [&](const std::string& application, const std::vector<StudyFigure>& figures) {
      for (const StudyFigure& figure : figures) table.add("", summary.point, {application, figure});
    };
    add("", summary.figures);
    for (const auto& [name, figures] : summary.applications) add(name, figures);
  }
  return table.csv();
}

}  // namespace gputlm
