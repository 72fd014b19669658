#include "platform/lab/study_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "platform/files/csv.h"
#include "platform/files/text_table.h"

namespace gputlm {
namespace {

using Cells = std::vector<std::string>;

std::string number(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }
std::string number(const std::optional<double>& value, int digits) { return value ? number(*value, digits) : ""; }

void append_line(fmt::memory_buffer& csv, const Cells& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) csv.push_back(',');
    write_csv_field(csv, cells[i]);
  }
  csv.push_back('\n');
}

/// The first of `rows` are the titles; the first `left` cells of a row are names, the others numbers.
std::string layout(const std::vector<Cells>& rows, std::size_t left) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < rows[0].size(); ++i)
    columns.push_back({rows[0][i], i < left ? Column::Form::kName : Column::Form::kNumber});
  return table(columns, {rows.begin() + 1, rows.end()});
}

/// Those of a table for a reader: what does not vary is left out.
std::vector<PointColumn> shown_columns(const Study& study) {
  std::vector<PointColumn> columns = study_columns(study);
  columns.erase(std::remove_if(columns.begin(), columns.end(), [](const PointColumn& c) { return c.values < 2; }),
                columns.end());
  return columns;
}

/// Of a parameter the last part: the whole key makes a column wider than most values.
Cells names_of(const std::vector<PointColumn>& columns) {
  Cells names;
  for (const PointColumn& column : columns) names.push_back(column.name.substr(column.name.rfind('.') + 1));
  return names;
}

/// A line for each of what `rows` gives of an outcome, after the columns of its point.
template <class Rows>
std::string csv_of(const Study& study, const std::vector<StudyOutcome>& outcomes, const Cells& header, Rows rows) {
  const std::vector<PointColumn> columns = study_columns(study);
  fmt::memory_buffer csv;
  Cells line{"run"};
  for (const PointColumn& column : columns) line.push_back(column.name);
  line.insert(line.end(), header.begin(), header.end());
  append_line(csv, line);
  for (const StudyOutcome& outcome : outcomes) {
    for (const Cells& row : rows(outcome)) {
      line = {outcome.id};
      for (const PointColumn& column : columns) line.push_back(column.of(study, outcome.point, column.axis));
      line.insert(line.end(), row.begin(), row.end());
      append_line(csv, line);
    }
  }
  return fmt::to_string(csv);
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
  const std::vector<PointColumn> columns = shown_columns(study);
  std::vector<Cells> rows{names_of(columns)};
  for (const char* name : {"application", "cycles", "IPC"}) rows[0].emplace_back(name);
  if (study.alone()) {
    for (const char* name : {"slowdown", "STP", "ANTT", "StrictF"}) rows[0].emplace_back(name);
  }
  for (const StudyOutcome& outcome : outcomes) {
    for (const ApplicationOutcome& application : outcome.applications) {
      const bool first = &application == &outcome.applications.front();
      Cells& row = rows.emplace_back();
      for (const PointColumn& column : columns) {
        row.push_back(first ? column.of(study, outcome.point, column.axis) : "");
      }
      row.insert(row.end(), {application.name, std::to_string(application.cycles), number(application.ipc, 3)});
      if (!study.alone()) continue;
      row.push_back(number(application.slowdown, 3));
      for (const auto& metric : {outcome.stp, outcome.antt, outcome.strictf}) {
        row.push_back(first ? number(metric, 3) : "");
      }
    }
  }
  return layout(rows, columns.size() + 1);
}

std::string summary_table(const Study& study, const std::vector<StudySummary>& summaries) {
  if (study.seeds().size() < 2) return "";
  std::vector<PointColumn> columns = shown_columns(study);
  columns.pop_back();  // the seed
  std::vector<Cells> rows{names_of(columns)};
  for (const char* name : {"application", "cycles", "IPC"}) rows[0].emplace_back(name);
  if (study.alone()) {
    for (const char* name : {"slowdown", "STP", "ANTT", "StrictF"}) rows[0].emplace_back(name);
  }
  const auto interval = [](const Estimate& e, int digits) {
    return fmt::format("{:.{}f} +- {:.{}f}", e.mean, digits, e.half_width.value_or(0), digits);
  };
  for (const StudySummary& summary : summaries) {
    for (const StudySummary::Application& application : summary.applications) {
      const bool first = &application == &summary.applications.front();
      Cells& row = rows.emplace_back();
      for (const PointColumn& column : columns) {
        row.push_back(first ? column.of(study, summary.point, column.axis) : "");
      }
      row.push_back(application.name);
      for (const StudyFigure& f : application.figures)
        row.push_back(interval(f.estimate, f.metric == "cycles" ? 1 : 3));
      for (const StudyFigure& f : summary.figures) {
        if (first && f.metric != "run_cycles") row.push_back(interval(f.estimate, 3));
      }
      row.resize(rows[0].size());
    }
  }
  return fmt::format("Means of {} seeds, with {:.0f} % confidence intervals (Student's t):\n{}", study.seeds().size(),
                     100 * kConfidence, layout(rows, columns.size() + 1));
}

std::string applications_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  return csv_of(study, outcomes,
                {"run_cycles", "application", "cycles", "iterations", "instructions", "ipc", "slowdown", "stp", "antt",
                 "strictf"},
                [](const StudyOutcome& o) {
                  std::vector<Cells> rows;
                  for (const ApplicationOutcome& a : o.applications) {
                    rows.push_back({std::to_string(o.cycles), a.name, std::to_string(a.cycles),
                                    std::to_string(a.iterations), std::to_string(a.instructions), number(a.ipc, 6),
                                    number(a.slowdown, 6), number(o.stp, 6), number(o.antt, 6), number(o.strictf, 6)});
                  }
                  return rows;
                });
}

std::string launches_csv(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  return csv_of(
      study, outcomes,
      {"launch", "application", "stream", "released", "arrived", "first_block", "end", "notified", "instructions"},
      [](const StudyOutcome& o) {
        std::vector<Cells> rows;
        for (const LaunchRow& l : o.launches) {
          const KernelRecord& k = l.kernel;
          rows.push_back({l.label, l.application, l.stream, std::to_string(k.released), std::to_string(k.arrived),
                          std::to_string(k.first_block), std::to_string(k.end), std::to_string(k.notified),
                          std::to_string(k.counters.instructions)});
        }
        return rows;
      });
}

std::string summary_csv(const Study& study, const std::vector<StudySummary>& summaries) {
  std::vector<PointColumn> columns = study_columns(study);
  columns.pop_back();  // the seed
  Cells header;
  for (const PointColumn& column : columns) header.push_back(column.name);
  for (const char* name : {"application", "metric", "seeds", "mean", "deviation", "low", "high"}) {
    header.emplace_back(name);
  }
  fmt::memory_buffer csv;
  append_line(csv, header);
  for (const StudySummary& summary : summaries) {
    const auto add = [&](const std::string& application, const std::vector<StudyFigure>& figures) {
      for (const auto& [metric, e] : figures) {
        Cells line;
        for (const PointColumn& column : columns) line.push_back(column.of(study, summary.point, column.axis));
        line.insert(line.end(),
                    {application, metric, std::to_string(e.count), number(e.mean, 6), number(e.deviation, 6),
                     e.half_width ? number(e.low(), 6) : "", e.half_width ? number(e.high(), 6) : ""});
        append_line(csv, line);
      }
    };
    add("", summary.figures);
    for (const auto& [name, figures] : summary.applications) add(name, figures);
  }
  return fmt::to_string(csv);
}

}  // namespace gputlm
