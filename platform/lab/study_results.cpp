#include "platform/lab/study_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "platform/files/csv.h"
#include "platform/lab/metrics.h"
#include "platform/run/check_fits.h"
#include "platform/run/memory_estimate.h"
#include "platform/run/simulation.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

using Cells = std::vector<std::string>;

std::string number(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }
std::string number(const std::optional<double>& value, int digits) { return value ? number(*value, digits) : ""; }

/// A column of a point: its name, the number of values it has in the study, and its value.
struct PointColumn {
  std::string name;
  std::size_t values;
  std::string (*of)(const Study& study, const StudyPoint& point, std::size_t axis);
  std::size_t axis = 0;
};

std::vector<PointColumn> columns_of(const Study& study) {
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

void append_line(fmt::memory_buffer& csv, const Cells& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) csv.push_back(',');
    write_csv_field(csv, cells[i]);
  }
  csv.push_back('\n');
}

/// A line for each of what `rows` gives of an outcome, after the columns of its point.
template <class Rows>
std::string csv_of(const Study& study, const std::vector<StudyOutcome>& outcomes, const Cells& header, Rows rows) {
  const std::vector<PointColumn> columns = columns_of(study);
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

/// Cycles from the first release of an application's launches to the end of its last block, the first time.
Cycle cycles_of(const RunResult& result, const Workload& workload, ApplicationId application) {
  Cycle released = kNever;
  for (const KernelRecord& k : result.kernels) {
    if (k.iteration > 0 || workload.streams[workload.launches[k.command].stream].application != application) continue;
    released = std::min(released, k.released);
  }
  const Cycle end = result.applications[application].first_end;
  return released == kNever || end == kNever ? 0 : end - released;
}

}  // namespace

StudyRuns::StudyRuns(const Study& study) : study_(study) {
  const Bytes memory = default_memory_limit();
  for (const StudyPoint& point : study.points()) {
    const Workload& workload = study.workload(point);
    Run run{study.config(point), workload};
    run.keep_blocks = false;
    check_fits(run.config, run.workload);
    check_memory(run.config, {run.config.name, 0}, {}, run.workload, memory);
    sweep_.add({point, std::nullopt}, run);
    if (!study.alone() || workload.applications.size() < 2) continue;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const auto application = static_cast<ApplicationId>(a);
      run.workload = application_alone(workload, application);
      sweep_.add({point, application}, run);
    }
  }
}

std::vector<StudyOutcome> StudyRuns::outcomes() const {
  std::vector<StudyOutcome> outcomes;
  for (const Key& key : sweep_.keys()) {
    if (key.second) continue;
    const RunResult& result = sweep_.result(key);
    const Workload& workload = sweep_.request(key).workload;
    StudyOutcome outcome;
    outcome.point = key.first;
    outcome.id = sweep_.request(key).job().id;
    outcome.cycles = result.cycles;
    std::vector<double> slowdowns;
    for (std::size_t a = 0; a < workload.applications.size(); ++a) {
      const auto id = static_cast<ApplicationId>(a);
      const ApplicationRecord& record = result.applications[a];
      ApplicationOutcome application;
      application.name = workload.applications[a].name;
      application.cycles = cycles_of(result, workload, id);
      application.iterations = record.iterations;
      application.instructions = record.counters.instructions;
      application.ipc = ipc(result, id);
      if (const Key alone{key.first, id}; sweep_.has(alone)) {
        const Cycle cycles = cycles_of(sweep_.result(alone), sweep_.request(alone).workload, 0);
        application.slowdown = slowdown(static_cast<double>(application.cycles), static_cast<double>(cycles));
        slowdowns.push_back(*application.slowdown);
      }
      outcome.applications.push_back(std::move(application));
    }
    if (!slowdowns.empty()) {
      outcome.stp = stp(slowdowns);
      outcome.antt = antt(slowdowns);
      outcome.strictf = strictf(slowdowns);
    }
    for (const KernelRecord& kernel : result.kernels) {
      const StreamSpec& stream = workload.streams[workload.launches[kernel.command].stream];
      outcome.launches.push_back({launch_label(workload, kernel.command, kernel.iteration),
                                  workload.applications[stream.application].name, stream.name, kernel});
    }
    outcomes.push_back(std::move(outcome));
  }
  return outcomes;
}

std::string study_table(const Study& study, const std::vector<StudyOutcome>& outcomes) {
  std::vector<PointColumn> columns = columns_of(study);
  columns.erase(std::remove_if(columns.begin(), columns.end(), [](const PointColumn& c) { return c.values < 2; }),
                columns.end());
  std::vector<Cells> rows(1);
  for (const PointColumn& column : columns) {
    // Of a parameter the last part: the whole key makes a column wider than most values.
    rows[0].push_back(column.name.substr(column.name.rfind('.') + 1));
  }
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
  std::vector<std::size_t> width(rows[0].size());
  for (const Cells& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const Cells& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_number = i > columns.size();  // to the right, after the application
      line += fmt::format(is_number ? "{}{:>{}}" : "{}{:<{}}", i > 0 ? "  " : "", row[i], width[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
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

}  // namespace gputlm
