#include "testbench/cost/plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace gputlm::cost {
namespace {

constexpr double kPanelWidth = 360, kPanelHeight = 240, kLeft = 70, kTop = 60, kGap = 90, kBottom = 60, kLegend = 110;
/// Okabe and Ito's colours, which those who see colours differently can tell apart.
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

struct Line {
  std::string label;
  std::map<unsigned, double> points;  ///< by size
};

struct Panel {
  std::string title;  ///< with its unit
  std::vector<Line> lines;
};

/// The values of all parameters but the first that differ from row to row: "apps 4".
std::string label(const Study& study, const Geometry& geometry) {
  std::string text;
  for (std::size_t p = 1; p < geometry.size(); ++p) {
    const auto differs = [&](const StudyRow& row) { return row.cost.geometry[p] != geometry[p]; };
    if (std::none_of(study.rows.begin(), study.rows.end(), differs)) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", study.block->parameters[p].option, geometry[p]);
  }
  return text.empty() ? study.block->name : text;
}

template <typename Value>
Panel panel(const Study& study, const std::string& title, const Value& value) {
  Panel panel{title, {}};
  for (const StudyRow& row : study.rows) {
    const std::string name = label(study, row.cost.geometry);
    auto line = std::find_if(panel.lines.begin(), panel.lines.end(), [&](const Line& l) { return l.label == name; });
    if (line == panel.lines.end()) line = panel.lines.insert(line, Line{name, {}});
    line->points[row.cost.geometry.front()] = value(row);
  }
  return panel;
}

/// Distance of grid lines: 1, 2 or 5 times a power of ten, so that there are four to ten of them.
double grid_step(double range) {
  const double power = std::pow(10, std::floor(std::log10(range / 4)));
  for (const double factor : {5.0, 2.0}) {
    if (range / (factor * power) >= 4) return factor * power;
  }
  return power;
}

std::string draw(const Panel& panel, const std::string& x_title, double left) {
  double least = 0, most = 0;  // the axis holds 0: an overhead looks as large as it is
  std::map<unsigned, double> sizes;
  for (const Line& line : panel.lines) {
    for (const auto& [size, value] : line.points) {
      least = std::min(least, value);
      most = std::max(most, value);
      sizes[size] = 0;
    }
  }
  const double step = grid_step(most > least ? most - least : 1);
  least = std::floor(least / step) * step;
  most = std::max(std::ceil(most / step), std::floor(least / step) + 1) * step;
  // Sizes double: a logarithmic axis, with a mark at each size that was measured.
  const double first = std::log2(sizes.begin()->first), last = std::log2(sizes.rbegin()->first);
  const auto x = [&](unsigned size) {
    return left + (last > first ? 0.05 + 0.9 * (std::log2(size) - first) / (last - first) : 0.5) * kPanelWidth;
  };
  const auto y = [&](double value) { return kTop + kPanelHeight * (most - value) / (most - least); };
  const double bottom = kTop + kPanelHeight, middle = left + kPanelWidth / 2;

  std::string svg = fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle' font-weight='bold'>{}</text>\n",
                                middle, kTop - 14, panel.title);
  for (int i = 0; least + i * step <= most + step / 2; ++i) {
    const double value = least + i * step;
    svg += fmt::format("<line x1='{0:.1f}' x2='{1:.1f}' y1='{2:.1f}' y2='{2:.1f}' stroke='{3}'/>\n", left,
                       left + kPanelWidth, y(value), std::abs(value) < step / 2 ? "#666" : "#ddd");
    svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='end'>{:g}</text>\n", left - 8, y(value) + 4,
                       std::abs(value) < step / 2 ? 0 : value);
  }
  for (const auto& entry : sizes) {
    svg += fmt::format("<line x1='{0:.1f}' x2='{0:.1f}' y1='{1:.1f}' y2='{2:.1f}' stroke='#666'/>\n", x(entry.first),
                       bottom, bottom + 5);
    svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", x(entry.first), bottom + 20,
                       entry.first);
  }
  svg += fmt::format("<text x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", middle, bottom + 42, x_title);
  for (std::size_t i = 0; i < panel.lines.size(); ++i) {
    const char* const colour = kColours[i % std::size(kColours)];
    std::string path, dots;
    for (const auto& [size, value] : panel.lines[i].points) {
      path += fmt::format("{}{:.1f},{:.1f}", path.empty() ? "" : " ", x(size), y(value));
      dots += fmt::format("<circle cx='{:.1f}' cy='{:.1f}' r='3.5' fill='{}'/>\n", x(size), y(value), colour);
    }
    svg += fmt::format("<polyline points='{}' fill='none' stroke='{}' stroke-width='2'/>\n{}", path, colour, dots);
  }
  return svg;
}

}  // namespace

std::string to_svg(const Study& study) {
  const BlockParameter& size = study.block->parameters.front();
  const std::vector<Panel> panels =
      study.against ? std::vector<Panel>{panel(study, "overhead in area (%)",
                                               [&](const StudyRow& row) { return overhead(study, row).area_percent; }),
                                         panel(study, "overhead in critical path (%)",
                                               [&](const StudyRow& row) { return overhead(study, row).delay_percent; })}
                    : std::vector<Panel>{
                          panel(study, "area (NAND2 equivalents)",
                                [&](const StudyRow& row) { return study.nand2_equivalents(row.cost.best().area); }),
                          panel(study, "critical path (ns)",
                                [](const StudyRow& row) { return row.cost.best().delays.critical(); })};
  const double legend = kLeft + 2 * kPanelWidth + kGap + 30;
  const double width = legend + kLegend, height = kTop + kPanelHeight + kBottom;
  std::string svg = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' width='{0:.0f}' height='{1:.0f}' viewBox='0 0 {0:.0f} {1:.0f}' "
      "font-family='sans-serif' font-size='13'>\n<rect width='100%' height='100%' fill='white'/>\n",
      width, height);
  svg += fmt::format("<text x='{:.0f}' y='22' font-size='15'>{}{}, {}</text>\n", kLeft, study.block->name,
                     study.against ? " against " + study.against->name : "", study.library.name);
  const std::string x_title = fmt::format("{} ({})", size.option, size.meaning);
  for (std::size_t i = 0; i < panels.size(); ++i)
    svg += draw(panels[i], x_title, kLeft + static_cast<double>(i) * (kPanelWidth + kGap));
  for (std::size_t i = 0; i < panels.front().lines.size(); ++i) {
    const double y = kTop + 12 + 22 * static_cast<double>(i);
    svg += fmt::format("<line x1='{:.0f}' x2='{:.0f}' y1='{:.0f}' y2='{:.0f}' stroke='{}' stroke-width='2'/>\n", legend,
                       legend + 22, y, y, kColours[i % std::size(kColours)]);
    svg += fmt::format("<text x='{:.0f}' y='{:.0f}'>{}</text>\n", legend + 28, y + 4, panels.front().lines[i].label);
  }
  return svg + "</svg>\n";
}

}  // namespace gputlm::cost
