#include "platform/lab/study_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>

#include "platform/run/responses.h"

namespace gputlm {
namespace {

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

/// A metric of a summary, and its owner.
struct SummaryLine {
  const StudySubject& subject;
  const StudyFigure& figure;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.field([](const SummaryLine& l) { return to_string(l.subject.kind); }, "of", Value{},
            "`run`, `application`, `task` or `launch` (only repeated launches)");
    v.field([](const SummaryLine& l) -> const std::string& { return l.subject.name; }, "name", Value{},
            "Its name; empty for the run");
    v.field([](const SummaryLine& l) -> const std::string& { return l.subject.application; }, "application", Value{},
            "Name of its application; empty for the run");
    v.field([](const SummaryLine& l) -> const std::string& { return l.figure.metric; }, "metric", Value{},
            "A column of applications.csv or responses.csv; `missed`: jobs that took longer than their deadlines");
    v.part([](const SummaryLine& l) -> const Estimate& { return l.figure.estimate; });
    v.field([](const SummaryLine& l) { return l.figure.varies(); }, "varies", Value{},
            "Whether the seeds differ; false: the metric has no randomness, and no interval");
  }
};

GPUTLM_REGISTER {
  add_study_table<ApplicationLine>("applications.csv", "An application of a run", true);
  add_study_table<StudyLaunch>("launches.csv", "A launch of a run", true);
  add_study_table<ResponseRow>("responses.csv", "A line of a run's responses.csv", true);
  add_study_table<SummaryLine>("summary.csv", "A metric over the seeds", false, false);
  add_study_table<BaselineFigure>(
      "baseline.csv",
      "A metric over that of the baseline (--baseline), by workload and as the `geometric mean` of all workloads",
      false, false);
}

}  // namespace

std::vector<PointColumn> study_columns(const Study& study, bool seeds) {
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
  if (seeds) {
    columns.push_back({"seed", study.seeds().size(), [](const Study& s, const StudyPoint& p, std::size_t) {
                         return std::to_string(s.seeds()[p.seed]);
                       }});
  }
  return columns;
}

std::vector<TableColumn> described_study_columns(bool by_run, bool seeds) {
  const auto text = [](const char* name, const char* meaning) {
    return TableColumn{name, "", meaning, "", -1, {}, true};
  };
  std::vector<TableColumn> columns;
  if (by_run) columns.push_back(text("run", "Id of the run"));
  columns.push_back(text("gpu", "GPU, as the study names it"));
  columns.push_back(text("workload", "Workload, as the study names it"));
  if (seeds) columns.push_back({"seed", "", "Seed of the run"});
  return columns;
}

std::vector<Cell> point_cells(const Study& study, const StudyPoint& point, const std::vector<PointColumn>& columns,
                              bool over_workloads) {
  std::vector<Cell> cells;
  for (const PointColumn& column : columns) {
    const bool mean = over_workloads && column.name == "workload";
    cells.emplace_back(mean ? std::string("geometric mean") : column.of(study, point, column.axis));
  }
  return cells;
}

ViewOfPoints::ViewOfPoints(const Study& study, std::string title, const std::vector<const char*>& names,
                           const std::vector<const char*>& numbers, bool seeds, int digits)
    : study_(study), title_(std::move(title)) {
  for (PointColumn& point : study_columns(study, seeds)) {
    if (point.values < 2) continue;
    if (point.name == "workload")
      point.of = [](const Study& s, const StudyPoint& p, std::size_t) { return s.short_workloads()[p.workload]; };
    // Only the last part of a parameter: the whole key is wider than most values.
    columns_.push_back({point.name.substr(point.name.rfind('.') + 1), "", "", "", -1, Column::Form::kName});
    points_.push_back(std::move(point));
  }
  for (const char* const name : names) columns_.push_back({name, "", "", "", -1, Column::Form::kName});
  add_numbers(numbers, digits);
}

void ViewOfPoints::add_numbers(const std::vector<const char*>& names, int digits) {
  for (const char* const name : names) columns_.push_back({name, "", "", "", digits, Column::Form::kNumber});
}

void ViewOfPoints::begin(const StudyPoint& point, bool over_workloads) {
  point_ = point_cells(study_, point, points_, over_workloads);
  point_.emplace_back();  // never empty
}

void ViewOfPoints::add(std::vector<Cell> cells) {
  point_.resize(points_.size());
  cells.insert(cells.begin(), point_.begin(), point_.end());
  point_.clear();
  rows_.push_back(std::move(cells));
}

StudyView ViewOfPoints::view(std::string note) const {
  StudyView view{title_, Table(columns_), std::move(note)};
  for (const std::vector<Cell>& row : rows_) view.table.add(row);
  return view;
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
  ViewOfPoints view(study, "", {"application"}, {"cycles", "IPC"});
  if (study.alone()) view.add_numbers({"slowdown", "STP", "ANTT", "StrictF"});
  for (const StudyOutcome& outcome : outcomes) {
    view.begin(outcome.point);
    for (const ApplicationOutcome& a : outcome.applications) {
      std::vector<Cell> row{a.name, a.cycles, a.ipc, a.slowdown};
      if (view.is_first()) row.insert(row.end(), {outcome.stp, outcome.antt, outcome.strictf});
      view.add(std::move(row));
    }
  }
  return view.view();
}

/// Empty if no workload has tasks.
ViewOfPoints tasks_view(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  ViewOfPoints view(study, "Response times of the tasks' jobs, in core cycles:", {"task", "application"},
                    {"jobs", "p50", "p99", "worst", "deadline", "missed"});
  for (const StudyOutcome& outcome : outcomes) {
    view.begin(outcome.point);
    for (const ResponseGroup& task : outcome.responses.tasks) {
      const Responses& of = task.responses;
      if (of.jobs == 0) continue;
      view.add({task.name, study.workload(outcome.point).applications[task.application].name, of.jobs, of.p50, of.p99,
                of.most, task.deadline, of.deadlines > 0 ? Cell(of.missed) : Cell()});
    }
  }
  return view;
}

/// Empty if no workload has jobs that may overrun.
ViewOfPoints modes_view(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  ViewOfPoints view(study,
                    "Mixed criticality: modes, jobs of level lo dropped in mode hi, deadlines missed by level:", {},
                    {"mode changes", "in mode hi", "dropped", "missed hi", "missed lo"});
  for (const StudyOutcome& outcome : outcomes) {
    if (!outcome.criticality) continue;
    const CriticalityOutcome& of = *outcome.criticality;
    const Workload& workload = study.workload(outcome.point);
    view.begin(outcome.point);
    view.add({of.changes, of.hi_mode, of.dropped(), of.missed(workload, Criticality::kHi),
              of.missed(workload, Criticality::kLo)});
  }
  return view;
}

std::string interval_text(const StudyFigure& f) {
  const bool counts = f.metric.size() >= 6 && f.metric.compare(f.metric.size() - 6, 6, "cycles") == 0;
  const int digits = counts || f.metric == "missed" ? 1 : 3;
  if (!f.varies()) return fmt::format("{:.{}f}", f.estimate.mean, digits);
  return fmt::format("{:.{}f} +- {:.{}f}", f.estimate.mean, digits, f.estimate.half_width.value_or(0), digits);
}

/// Cells of these metrics; empty if a metric is missing.
void add_intervals(std::vector<Cell>& row, const StudySummary& summary, const StudySubject& subject,
                   std::initializer_list<const char*> metrics) {
  for (const char* const metric : metrics) {
    const StudyFigure* const figure = summary.find(subject, metric);
    row.push_back(figure ? Cell(interval_text(*figure)) : Cell());
  }
}

StudyView means_view(const Study& study, const std::vector<StudySummary>& summaries, StudySubject::Kind kind) {
  using Names = std::vector<const char*>;
  const bool tasks = kind == StudySubject::Kind::kTask;
  ViewOfPoints view(study,
                    fmt::format("{} of {} seeds, with {:.0f} % confidence intervals (Student's t):",
                                tasks ? "Response times of the tasks' jobs, in core cycles: means" : "Means",
                                study.seeds().size(), 100 * kConfidence),
                    tasks ? Names{"task", "application"} : Names{"application"},
                    tasks ? Names{"p50", "p99", "worst", "missed"} : Names{"cycles", "IPC"}, false);
  if (!tasks && study.alone()) view.add_numbers({"slowdown", "STP", "ANTT", "StrictF"});
  std::size_t same = 0;
  for (const StudySummary& summary : summaries) {
    same += !summary.varies();
    view.begin(summary.point);
    for (const auto& [subject, figures] : summary.subjects) {
      if (subject.kind != kind) continue;
      std::vector<Cell> row{subject.name};
      if (tasks) {
        row.emplace_back(subject.application);
        add_intervals(row, summary, subject, {"p50_cycles", "p99_cycles", "max_cycles", "missed"});
      } else {
        add_intervals(row, summary, subject, {"cycles", "ipc", "slowdown"});
        if (view.is_first()) add_intervals(row, summary, {}, {"stp", "antt", "strictf"});
      }
      view.add(std::move(row));
    }
  }
  if (same == summaries.size()) return view.view("No randomness: seeds change nothing.");
  if (same == 0) return view.view();
  return view.view(fmt::format("No randomness in {} of {} combinations, which have no interval: seeds change nothing.",
                               same, summaries.size()));
}

/// The metrics of a subject that a reader sees relative to the baseline; the file has all.
bool is_told(const BaselineFigure& figure) {
  const StudySubject::Kind kind = figure.subject.kind;
  return kind != StudySubject::Kind::kLaunch && figure.metric != "ipc" && figure.metric != "strictf";
}

}  // namespace

std::vector<StudyView> study_views(const Study& study, const std::vector<StudyOutcome>& outcomes,
                                   const std::vector<StudySummary>& summaries) {
  std::vector<StudyView> views{applications_view(study, outcomes)};
  const ViewOfPoints tasks = tasks_view(study, outcomes), modes = modes_view(study, outcomes);
  if (!tasks.empty()) views.push_back(tasks.view());
  if (!modes.empty()) views.push_back(modes.view());
  if (study.seeds().size() < 2) return views;
  views.push_back(means_view(study, summaries, StudySubject::Kind::kApplication));
  if (!tasks.empty()) views.push_back(means_view(study, summaries, StudySubject::Kind::kTask));
  return views;
}

StudyView baseline_view(const Study& study, const Baseline& baseline, const std::vector<BaselineComparison>& all) {
  std::string names;
  for (const auto& [column, value] : baseline) names += (names.empty() ? "" : ", ") + column + "=" + value;
  ViewOfPoints view(study,
                    fmt::format("Over {}{}:", names,
                                study.seeds().size() > 1
                                    ? fmt::format(", geometric means of the ratios over {} seeds with their paired "
                                                  "{:.0f} % confidence intervals",
                                                  study.seeds().size(), 100 * kConfidence)
                                    : ""),
                    {"of", "metric"}, {"ratio", "interval", "difference"}, false);
  for (const BaselineComparison& comparison : all) {
    view.begin(comparison.point, comparison.over_workloads);
    for (const BaselineFigure& figure : comparison.figures) {
      if (!is_told(figure)) continue;
      view.add(
          {figure.subject.kind == StudySubject::Kind::kRun ? "run" : figure.subject.name, figure.metric, figure.ratio,
           figure.ratio_low ? Cell(fmt::format("{:.3f} to {:.3f}", *figure.ratio_low, *figure.ratio_high)) : Cell(),
           figure.difference});
    }
  }
  return view.view();
}

std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<ApplicationLine> table(study, true);
  for (const StudyOutcome& run : outcomes) {
    for (const ApplicationOutcome& application : run.applications) table.add(run.id, run.point, {run, application});
  }
  return table.csv();
}

std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<StudyLaunch> table(study, true);
  for (const StudyOutcome& run : outcomes) {
    for (const StudyLaunch& launch : run.launches) table.add(run.id, run.point, launch);
  }
  return table.csv();
}

std::string responses_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  StudyTable<ResponseRow> table(study, true);
  for (const StudyOutcome& run : outcomes)
    for_each_response(run.responses, study.workload(run.point),
                      [&](const ResponseRow& row) { table.add(run.id, run.point, row); });
  return table.csv();
}

std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries) {
  StudyTable<SummaryLine> table(study, false, false);
  for (const StudySummary& summary : summaries) {
    for (const auto& [subject, figures] : summary.subjects) {
      for (const StudyFigure& figure : figures) table.add("", summary.point, {subject, figure});
    }
  }
  return table.csv();
}

std::string baseline_csv(const Study& study, const std::vector<BaselineComparison>& all) {
  StudyTable<BaselineFigure> table(study, false, false);
  for (const BaselineComparison& comparison : all) {
    for (const BaselineFigure& figure : comparison.figures)
      table.add("", comparison.point, figure, comparison.over_workloads);
  }
  return table.csv();
}

}  // namespace gputlm
