#include "platform/cli/sweep_bounds.h"

#include <fmt/format.h>

#include "platform/bounds/row.h"
#include "platform/files/rows.h"

namespace gputlm {
namespace {

/// Where nothing is known of a workload, its tasks have no bounds, and the run is not played again.
BoundStudy without_bounds(const Workload& workload, const std::string& why) {
  BoundStudy study;
  study.bounds.resize(workload.tasks.size());
  study.simulated.resize(workload.tasks.size());
  for (TaskBound& bound : study.bounds) bound.bound.why = "no analysis: " + why;
  return study;
}

std::vector<TableColumn> csv_columns(const std::vector<PointColumn>& points) {
  std::vector<TableColumn> columns;
  for (const PointColumn& point : points) columns.push_back({point.name});
  for (TableColumn& column : row_columns<BoundRow>()) columns.push_back(std::move(column));
  return columns;
}

std::vector<TableColumn> view_columns(const std::vector<PointColumn>& points) {
  std::vector<TableColumn> columns;
  for (const PointColumn& point : points) columns.push_back({point.name.substr(point.name.rfind('.') + 1)});
  for (const char* const name : {"task", "alone", "bound", "simulated", "deadline"})
    columns.push_back({name, "", "", "", 2, std::string(name) == "task" ? Column::Form::kName : Column::Form::kNumber});
  columns.push_back({"analysis"});
  return columns;
}

}  // namespace

SweepBounds::SweepBounds(const Study& study, const JobOptions& options)
    : all_(csv_columns(study_columns(study))), view_{"Bounds of response times (docs/bounds.md), in us:",
                                                     Table(view_columns(shown_columns(study)))} {
  const std::vector<PointColumn> points = study_columns(study), told = shown_columns(study);
  for (const StudyPoint& point : study.points()) {
    const GpuConfig config = study.config(point);
    const Workload& workload = study.workload(point);
    const std::string why = no_analysis(config, workload);
    const BoundStudy bounds =
        why.empty() ? study_bounds(config, {workload}, 1, options) : without_bounds(workload, why);
    const Clock clock = Clock::from_mhz(config.core_mhz);
    for (std::size_t t = 0; t < workload.tasks.size(); ++t) {
      const TaskSpec& task = workload.tasks[t];
      const BoundRow row{
          task, workload, bounds.bounds[t], bounds.simulated[t], Response::deadline_cycles(task.deadline, clock),
          clock};
      std::vector<Cell> cells, shown;
      for (const PointColumn& column : points) cells.emplace_back(column.of(study, point, column.axis));
      for (const PointColumn& column : told) shown.emplace_back(column.of(study, point, column.axis));
      for (Cell& cell : row_cells(row)) cells.push_back(std::move(cell));
      all_.add(std::move(cells));
      const auto us = [&](std::optional<Cycle> cycles) {
        return cycles ? Cell(static_cast<double>(*cycles) / config.core_mhz) : Cell("-");
      };
      const std::optional<Cycle> simulated = bounds.runs > 0 ? std::optional(bounds.simulated[t].worst) : std::nullopt;
      shown.insert(shown.end(), {task.name, us(bounds.bounds[t].alone), us(bounds.bounds[t].bound.cycles),
                                 us(simulated), us(row.deadline), row.verdict()});
      view_.table.add(std::move(shown));
    }
  }
}

GPUTLM_REGISTER {
  add_row_table<BoundRow>("bounds.csv of a sweep",
                          "Bounds of the tasks of a run (--bounds), behind the GPU, each parameter that is varied, the "
                          "workload and the seed");
}

}  // namespace gputlm
