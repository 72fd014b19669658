#include "platform/lab/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "platform/files/rows.h"
#include "platform/run/responses.h"

namespace gputlm {
namespace {

constexpr auto kName = Column::Form::kName, kNumber = Column::Form::kNumber;

/// The columns of a reader's tables that say which point a line is of.
std::vector<TableColumn> shown(const std::vector<PointColumn>& points) {
  std::vector<TableColumn> columns;
  // Of a parameter the last part: the whole key makes a column wider than most values.
  for (const PointColumn& point : points)
    columns.push_back({point.name.substr(point.name.rfind('.') + 1), "", "", "", -1, kName});
  return columns;
}

/// And what the lines have: names, and numbers, also where they are intervals.
void add(std::vector<TableColumn>& columns, std::initializer_list<const char*> names,
         std::initializer_list<const char*> numbers) {
  for (const char* const name : names) columns.push_back({name, "", "", "", -1, kName});
  for (const char* const name : numbers) columns.push_back({name, "", "", "", 3, kNumber});
}

/// The cells that say which point a line is of. `over_workloads`: it is of the mean over them.
std::vector<Cell> cells_of(const Study& study, const StudyPoint& point, const std::vector<PointColumn>& columns,
                           bool over_workloads = false) {
  std::vector<Cell> cells;
  for (const PointColumn& column : columns) {
    const bool mean = over_workloads && column.name == "workload";
    cells.emplace_back(mean ? std::string("geometric mean") : column.of(study, point, column.axis));
  }
  return cells;
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
  const StudySubject& subject;
  const StudyFigure& figure;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const SummaryLine& l) { return to_string(l.subject.kind); }, "of", Value{},
            "`run`, `application`, `task` or `launch` (those that are made more than once)");
    v.field([](const SummaryLine& l) -> const std::string& { return l.subject.name; }, "name", Value{},
            "Its name; empty: of the run");
    v.field([](const SummaryLine& l) -> const std::string& { return l.subject.application; }, "application", Value{},
            "Whose it is; likewise");
    v.field([](const SummaryLine& l) -> const std::string& { return l.figure.metric; }, "metric", Value{},
            "A column of applications.csv or responses.csv; `missed`: jobs that took longer than their deadlines");
    v.part([](const SummaryLine& l) -> const Estimate& { return l.figure.estimate; });
    v.field([](const SummaryLine& l) { return l.figure.varies(); }, "varies", Value{},
            "The seeds differ; false: there is no randomness in it, and the interval is none");
  }
};

/// Rows behind the columns that say which run or point they are of.
template <class Row>
class StudyTable {
 public:
  StudyTable(const Study& study, std::vector<PointColumn> points, bool by_run)
      : study_(study), points_(std::move(points)), by_run_(by_run), table_(columns()) {}
  void add(const std::string& run, const StudyPoint& point, const Row& row, bool over_workloads = false) {
    std::vector<Cell> cells = cells_of(study_, point, points_, over_workloads);
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
  const std::string of_point = "; behind the GPU, each parameter that is varied and the workload";
  add_row_table<SummaryLine>("summary.csv of a sweep", "A metric over the seeds" + of_point);
  add_row_table<BaselineFigure>("baseline.csv of a sweep", "A metric over that of the baseline (--baseline)" +
                                                               of_point + ", or `geometric mean` over the workloads");
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

std::vector<PointColumn> shown_columns(const Study& study) {
  std::vector<PointColumn> columns = study_columns(study);
  columns.erase(std::remove_if(columns.begin(), columns.end(), [](const PointColumn& c) { return c.values < 2; }),
                columns.end());
  for (PointColumn& column : columns) {
    if (column.name == "workload")
      column.of = [](const Study& s, const StudyPoint& p, std::size_t) { return s.short_workloads()[p.workload]; };
  }
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

namespace {

StudyView applications_view(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  const std::vector<PointColumn> points = shown_columns(study);
  std::vector<TableColumn> columns = shown(points);
  add(columns, {"application"}, {"cycles", "IPC"});
  if (study.alone()) add(columns, {}, {"slowdown", "STP", "ANTT", "StrictF"});
  StudyView view{"", Table(columns)};
  for (const StudyOutcome& outcome : outcomes) {
    bool first = true;
    for (const ApplicationOutcome& a : outcome.applications) {
      std::vector<Cell> row = first ? cells_of(study, outcome.point, points) : std::vector<Cell>(points.size());
      row.insert(row.end(), {a.name, a.cycles, a.ipc, a.slowdown});
      if (first) row.insert(row.end(), {outcome.stp, outcome.antt, outcome.strictf});
      view.table.add(std::move(row));
      first = false;
    }
  }
  return view;
}

/// Nothing where no workload has tasks.
std::optional<StudyView> tasks_view(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  const std::vector<PointColumn> points = shown_columns(study);
  std::vector<TableColumn> columns = shown(points);
  add(columns, {"task", "application"}, {"jobs", "p50", "p99", "worst", "deadline", "missed"});
  StudyView view{"Response times of the tasks' jobs, in core cycles:", Table(columns)};
  for (const StudyOutcome& outcome : outcomes) {
    bool first = true;
    for (const ResponseGroup& task : outcome.responses.tasks) {
      const Responses& of = task.responses;
      if (of.jobs == 0) continue;
      std::vector<Cell> row = first ? cells_of(study, outcome.point, points) : std::vector<Cell>(points.size());
      const Workload& workload = study.workload(outcome.point);
      row.insert(row.end(), {task.name, workload.applications[task.application].name, of.jobs, of.p50, of.p99, of.most,
                             task.deadline, of.deadlines > 0 ? Cell(of.missed) : Cell()});
      view.table.add(std::move(row));
      first = false;
    }
  }
  if (view.table.rows().empty()) return std::nullopt;
  return view;
}

/// Nothing where no workload's jobs may overrun.
std::optional<StudyView> modes_view(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  const std::vector<PointColumn> points = shown_columns(study);
  std::vector<TableColumn> columns = shown(points);
  add(columns, {}, {"mode changes", "in mode hi", "dropped", "missed hi", "missed lo"});
  StudyView view{"Mixed criticality: modes, jobs of level lo dropped in mode hi, deadlines missed by level:",
                 Table(columns)};
  for (const StudyOutcome& outcome : outcomes) {
    if (!outcome.criticality) continue;
    const CriticalityOutcome& of = *outcome.criticality;
    const Workload& workload = study.workload(outcome.point);
    std::vector<Cell> row = cells_of(study, outcome.point, points);
    row.insert(row.end(), {of.changes, of.hi_mode, of.dropped(), of.missed(workload, Criticality::kHi),
                           of.missed(workload, Criticality::kLo)});
    view.table.add(std::move(row));
  }
  if (view.table.rows().empty()) return std::nullopt;
  return view;
}

std::string interval_text(const StudyFigure& f) {
  const bool counts = f.metric.size() >= 6 && f.metric.compare(f.metric.size() - 6, 6, "cycles") == 0;
  const int digits = counts || f.metric == "missed" ? 1 : 3;
  if (!f.varies()) return fmt::format("{:.{}f}", f.estimate.mean, digits);
  return fmt::format("{:.{}f} +- {:.{}f}", f.estimate.mean, digits, f.estimate.half_width.value_or(0), digits);
}

/// Cells of these metrics; empty where there is none.
void add_intervals(std::vector<Cell>& row, const StudySummary& summary, const StudySubject& subject,
                   std::initializer_list<const char*> metrics) {
  for (const char* const metric : metrics) {
    const StudyFigure* const figure = summary.find(subject, metric);
    row.push_back(figure ? Cell(interval_text(*figure)) : Cell());
  }
}

StudyView means_view(const Study& study, const std::vector<StudySummary>& summaries, StudySubject::Kind kind) {
  std::vector<PointColumn> points = shown_columns(study);
  points.pop_back();  // the seed
  std::vector<TableColumn> columns = shown(points);
  const bool tasks = kind == StudySubject::Kind::kTask;
  if (tasks) {
    add(columns, {"task", "application"}, {"p50", "p99", "worst", "missed"});
  } else {
    add(columns, {"application"}, {"cycles", "IPC"});
    if (study.alone()) add(columns, {}, {"slowdown", "STP", "ANTT", "StrictF"});
  }
  StudyView view{fmt::format("{} of {} seeds, with {:.0f} % confidence intervals (Student's t):",
                             tasks ? "Response times of the tasks' jobs, in core cycles: means" : "Means",
                             study.seeds().size(), 100 * kConfidence),
                 Table(columns)};
  std::size_t same = 0;
  for (const StudySummary& summary : summaries) {
    same += !summary.varies();
    bool first = true;
    for (const auto& [subject, figures] : summary.subjects) {
      if (subject.kind != kind) continue;
      std::vector<Cell> row = first ? cells_of(study, summary.point, points) : std::vector<Cell>(points.size());
      row.emplace_back(subject.name);
      if (tasks) {
        row.emplace_back(subject.application);
        add_intervals(row, summary, subject, {"p50_cycles", "p99_cycles", "max_cycles", "missed"});
      } else {
        add_intervals(row, summary, subject, {"cycles", "ipc", "slowdown"});
        if (first) add_intervals(row, summary, {}, {"stp", "antt", "strictf"});
      }
      view.table.add(std::move(row));
      first = false;
    }
  }
  if (same == summaries.size()) {
    view.note = "No randomness: seeds change nothing.";
  } else if (same > 0) {
    view.note = fmt::format("No randomness in {} of {} combinations, which have no interval: seeds change nothing.",
                            same, summaries.size());
  }
  return view;
}

/// What a reader is told of a subject over the baseline; the file has all.
bool is_told(const BaselineFigure& figure) {
  const StudySubject::Kind kind = figure.subject.kind;
  return kind != StudySubject::Kind::kLaunch && figure.metric != "ipc" && figure.metric != "strictf";
}

}  // namespace

std::vector<StudyView> study_views(const Study& study, const std::vector<StudyOutcome>& outcomes,
                                   const std::vector<StudySummary>& summaries) {
  std::vector<StudyView> views{applications_view(study, outcomes)};
  std::optional<StudyView> tasks = tasks_view(study, outcomes);
  const bool has_tasks = tasks.has_value();
  if (tasks) views.push_back(std::move(*tasks));
  if (auto modes = modes_view(study, outcomes)) views.push_back(std::move(*modes));
  if (study.seeds().size() < 2) return views;
  views.push_back(means_view(study, summaries, StudySubject::Kind::kApplication));
  if (has_tasks) views.push_back(means_view(study, summaries, StudySubject::Kind::kTask));
  return views;
}

StudyView baseline_view(const Study& study, const Baseline& baseline, const std::vector<BaselineComparison>& all) {
  std::vector<PointColumn> points = shown_columns(study);
  if (study.seeds().size() > 1) points.pop_back();
  std::vector<TableColumn> columns = shown(points);
  add(columns, {"of", "metric"}, {"ratio", "interval", "difference"});
  std::string names;
  for (const auto& [column, value] : baseline) names += (names.empty() ? "" : ", ") + column + "=" + value;
  StudyView view{
      fmt::format("Over {}{}:", names,
                  study.seeds().size() > 1
                      ? fmt::format(", geometric means of the ratios over {} seeds with their paired {:.0f} % "
                                    "confidence intervals",
                                    study.seeds().size(), 100 * kConfidence)
                      : ""),
      Table(columns)};
  for (const BaselineComparison& comparison : all) {
    bool first = true;
    for (const BaselineFigure& figure : comparison.figures) {
      if (!is_told(figure)) continue;
      std::vector<Cell> row = first ? cells_of(study, comparison.point, points, comparison.over_workloads)
                                    : std::vector<Cell>(points.size());
      const bool is_run = figure.subject.kind == StudySubject::Kind::kRun;
      row.insert(
          row.end(),
          {is_run ? "run" : figure.subject.name, figure.metric, figure.ratio,
           figure.ratio_low ? Cell(fmt::format("{:.3f} to {:.3f}", *figure.ratio_low, *figure.ratio_high)) : Cell(),
           figure.difference});
      view.table.add(std::move(row));
      first = false;
    }
  }
  return view;
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
    for (const auto& [subject, figures] : summary.subjects) {
      for (const StudyFigure& figure : figures) table.add("", summary.point, {subject, figure});
    }
  }
  return table.csv();
}

std::string baseline_csv(const Study& study, const std::vector<BaselineComparison>& all) {
  std::vector<PointColumn> points = study_columns(study);
  points.pop_back();  // the seed
  StudyTable<BaselineFigure> table(study, std::move(points), false);
  for (const BaselineComparison& comparison : all) {
    for (const BaselineFigure& figure : comparison.figures)
      table.add("", comparison.point, figure, comparison.over_workloads);
  }
  return table.csv();
}

}  // namespace gputlm
