#include "platform/cli/cost_chart.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace gputlm {
namespace {

/// The values of all parameters but the first that differ between rows: "apps 4".
std::string label(const cost::Study& study, const cost::Geometry& geometry) {
  std::string text;
  for (std::size_t p = 1; p < geometry.size(); ++p) {
    const auto differs = [&](const cost::StudyRow& row) { return row.cost.geometry[p] != geometry[p]; };
    if (std::none_of(study.rows.begin(), study.rows.end(), differs)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", study.block->parameters[p].option, geometry[p]);
  }
  return text.empty() ? study.block->name : text;
}

template <typename Value>
LineChart::Panel panel(const cost::Study& study, const std::string& y_axis, const Value& value) {
  const cost::BlockParameter& size = study.block->parameters.front();
  LineChart::Panel panel{fmt::format("{} ({})", size.option, size.meaning), y_axis};
  panel.doubling = true;
  std::set<unsigned> sizes;
  for (const cost::StudyRow& row : study.rows) {
    const std::string name = label(study, row.cost.geometry);
    auto line = std::find_if(panel.lines.begin(), panel.lines.end(), [&](const auto& l) { return l.name == name; });
    if (line == panel.lines.end()) line = panel.lines.insert(line, {name, {}});
    line->points.emplace_back(row.cost.geometry.front(), value(row));
    sizes.insert(row.cost.geometry.front());
  }
  for (LineChart::Line& line : panel.lines) std::sort(line.points.begin(), line.points.end());
  for (const unsigned measured : sizes)
    panel.ticks.push_back({static_cast<double>(measured), std::to_string(measured)});
  return panel;
}

}  // namespace

LineChart cost_chart(const cost::Study& study) {
  LineChart chart{fmt::format("{}{}, {}", study.block->name, study.against ? " against " + study.against->name : "",
                              study.library.name),
                  {}};
  if (study.against) {
    chart.panels = {panel(study, "overhead in area (%)",
                          [&](const cost::StudyRow& row) { return overhead(study, row).area_percent; }),
                    panel(study, "overhead in critical path (%)",
                          [&](const cost::StudyRow& row) { return overhead(study, row).delay_percent; })};
  } else {
    chart.panels = {panel(study, "area (NAND2 equivalents)",
                          [&](const cost::StudyRow& row) { return study.nand2_equivalents(row.cost.best().area); }),
                    panel(study, "critical path (ns)",
                          [](const cost::StudyRow& row) { return row.cost.best().delays.critical(); })};
  }
  return chart;
}

}  // namespace gputlm
