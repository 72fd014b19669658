#include "platform/lab/chart_of_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "platform/files/atomic_file.h"
#include "platform/files/csv.h"
#include "platform/files/rows.h"
#include "platform/lab/metrics.h"
#include "tlm/base/error.h"
#include "tlm/base/numbers.h"

namespace gputlm {
namespace {

using Strings = std::vector<std::string>;

constexpr std::size_t kMostLines = 200;  // maximum over all panels: more cannot be told apart
constexpr std::size_t kMostNames = 60;   // maximum along an axis
constexpr std::size_t kMostPanels = 24;
constexpr std::size_t kLongestName = 48;  // characters: longer ones are shortened in the middle

/// The unit of a column of a result file, or of a metric of summary.csv; for other columns by the suffix, none if that says
/// nothing.
std::optional<std::string> unit_of(const std::string& column) {
  std::set<std::string> units;
  for (const RowTable& table : row_tables()) {
    for (const TableColumn& one : table.columns) {
      if (one.name == column) units.insert(one.unit);
    }
  }
  if (units.size() == 1) return *units.begin();
  for (const char* const ending : {"us", "ms", "ns", "cycles", "bytes", "percent", "mhz", "um2", "pj"}) {
    const std::string suffix = std::string("_") + ending;
    const bool has =
        column.size() > suffix.size() && column.compare(column.size() - suffix.size(), suffix.size(), suffix) == 0;
    if (has || column == ending) return ending == std::string("cycles") ? "core cycles" : ending;
  }
  return std::nullopt;
}

/// Throws InputError if two of these cannot share an axis.
void check_units(const std::string& path, const std::string& what, const Strings& columns, const char* instead) {
  for (const std::string& column : columns) {
    const auto first = unit_of(columns.front()), other = unit_of(column);
    if (!first || !other || *first == *other) continue;
    const auto named = [](const std::string& unit) { return unit.empty() ? std::string("no unit") : unit; };
    throw InputError(path, 0,
                     fmt::format("{}: found {} ({}) and {} ({}) on one axis, allowed: one unit; {}", what,
                                 columns.front(), named(*first), column, named(*other), instead));
  }
}

/// A row of the file that is drawn.
struct DrawnValue {
  Strings fields;  ///< all fields of the row
  std::string facet, line, place;
  std::optional<double> x;  ///< the place, if it is a number
  double y = 0;
  std::optional<std::pair<double, double>> interval = std::nullopt;
};

class Drawing {
 public:
  Drawing(std::string path, const TableChart& chart)
      : path_(std::move(path)), chart_(chart), text_(read_text(path_)), csv_(path_, text_) {}

  LineChart make() {
    if (chart_.y.size() > 1) check_units(path_, "--y", chart_.y, "a chart for each");
    read();
    if (points_.empty())
      throw InputError(path_, 0,
                       chart_.where.empty() ? "found no rows, allowed: 1 or more"
                                            : "found no row that matches --where, allowed: 1 or more");
    check_metrics();
    if (chart_.form == TableChart::Form::kCdf)
      make_distributions();
    else
      join_places();
    return draw();
  }

 private:
  void read();
  void check_metrics();
  void make_distributions();
  void join_places();
  std::string differing(const std::vector<const DrawnValue*>& same) const;
  LineChart draw() const;
  /// The label of an axis with these columns, which share one unit.
  std::string title(const std::string& given, const Strings& columns) const {
    if (!given.empty()) return given;
    const std::string& column = columns.front();
    const bool of_metric = !metric_.empty() && (column == "mean" || column == "ratio");
    const std::string unit = unit_of(of_metric && column == "mean" ? metric_ : column).value_or("");
    if (columns.size() > 1) return unit.empty() ? fmt::format("{}", fmt::join(columns, ", ")) : unit;
    return (of_metric ? column + " of " + metric_ : column) + (unit.empty() ? "" : " (" + unit + ")");
  }

  std::string path_;
  const TableChart& chart_;
  std::string text_;
  CsvReader csv_;
  std::vector<DrawnValue> points_;
  std::string metric_;  ///< common to all rows of a table of metrics; else empty
};

void Drawing::read() {
  const bool has_x = chart_.form != TableChart::Form::kCdf;
  const std::size_t x = has_x ? csv_.column(chart_.x) : 0,
                    facet = chart_.facets.empty() ? 0 : csv_.column(chart_.facets);
  std::vector<std::size_t> y, groups;
  for (const std::string& name : chart_.y) y.push_back(csv_.column(name));
  for (const std::string& name : chart_.groups) groups.push_back(csv_.column(name));
  std::vector<std::pair<std::size_t, std::string>> where;
  for (const auto& [name, value] : chart_.where) where.emplace_back(csv_.column(name), value);
  const bool has_interval = !chart_.low.empty();
  const std::size_t low = has_interval ? csv_.column(chart_.low) : 0,
                    high = has_interval ? csv_.column(chart_.high) : 0;
  std::set<std::string> lines;
  while (csv_.next()) {
    const bool wanted =
        std::all_of(where.begin(), where.end(), [&](const auto& one) { return csv_.field(one.first) == one.second; });
    if (!wanted) continue;
    DrawnValue point;
    for (std::size_t column = 0; column < csv_.header().size(); ++column) point.fields.emplace_back(csv_.field(column));
    if (has_x) {
      point.place = csv_.field(x);
      point.x = parse_number<double>(point.place);
    }
    if (chart_.doubling && !(point.x.value_or(0) > 0))
      csv_.fail(
          fmt::format("{}: found '{}', allowed with --doubling: a number above 0", chart_.x, shortened(point.place)));
    if (!chart_.facets.empty()) point.facet = csv_.field(facet);
    for (std::size_t i = 0; i < y.size(); ++i) {
      if (csv_.field(y[i]).empty()) continue;
      point.line = y.size() > 1 ? chart_.y[i] : "";
      for (const std::size_t column : groups)
        point.line += (point.line.empty() ? "" : ", ") + std::string(csv_.field(column));
      if (lines.insert(point.facet + '\n' + point.line).second && lines.size() > kMostLines)
        csv_.fail(fmt::format("found one more line, allowed: {} in all panels", kMostLines));
      point.y = csv_.real(y[i]);
      point.interval.reset();
      if (has_interval && !csv_.field(low).empty() && !csv_.field(high).empty())
        point.interval.emplace(csv_.real(low), csv_.real(high));
      points_.push_back(point);
    }
  }
}

/// A table of metrics has them all in one column, with different units.
void Drawing::check_metrics() {
  const Strings& header = csv_.header();
  const auto at = std::find(header.begin(), header.end(), "metric");
  if (at == header.end()) return;
  std::map<std::string, Strings> of_facets;
  for (const DrawnValue& point : points_) {
    Strings& metrics = of_facets[point.facet];
    const std::string& metric = point.fields[static_cast<std::size_t>(at - header.begin())];
    if (std::find(metrics.begin(), metrics.end(), metric) == metrics.end()) metrics.push_back(metric);
  }
  std::set<std::string> all;
  for (const auto& [facet, metrics] : of_facets) {
    check_units(path_, "metric", metrics, "--where metric=NAME chooses one, --facet metric has a panel for each");
    all.insert(metrics.begin(), metrics.end());
  }
  if (all.size() == 1) metric_ = *all.begin();
}

/// Columns whose values differ among rows at the same place.
std::string Drawing::differing(const std::vector<const DrawnValue*>& same) const {
  Strings names;
  for (std::size_t column = 0; column < csv_.header().size(); ++column) {
    const std::string& name = csv_.header()[column];
    const bool is_value = std::find(chart_.y.begin(), chart_.y.end(), name) != chart_.y.end();
    if (is_value || name == chart_.low || name == chart_.high) continue;
    const auto differs = [&](const DrawnValue* point) { return point->fields[column] != same.front()->fields[column]; };
    if (std::any_of(same.begin(), same.end(), differs)) names.push_back(name);
  }
  constexpr std::size_t kMost = 8;
  if (names.size() > kMost) names.resize(kMost);
  return names.empty() ? "no column tells them apart" : fmt::format("apart by {}", fmt::join(names, ", "));
}

/// Merges the points at one place, or refuses them.
void Drawing::join_places() {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<const DrawnValue*>> places;
  std::vector<DrawnValue> joined;
  for (const DrawnValue& point : points_) places[{point.facet, point.line, point.place}].push_back(&point);
  for (const DrawnValue& point : points_) {
    const auto& same = places.at({point.facet, point.line, point.place});
    if (same.front() != &point) continue;
    joined.push_back(point);
    if (same.size() == 1) continue;
    if (!chart_.means) {
      const std::string of = point.line.empty() ? "" : fmt::format(" of '{}'", shortened(point.line));
      throw InputError(path_, 0,
                       fmt::format("found {} values{} at {}={}, {}; allowed: one; --group, --facet or --where "
                                   "COLUMN=VALUE tell them apart, --mean draws their mean with its interval",
                                   same.size(), of, chart_.x, shortened(point.place), differing(same)));
    }
    std::vector<double> values;
    for (const DrawnValue* const one : same) values.push_back(one->y);
    const Estimate mean = estimate(values);
    joined.back().y = mean.mean;
    if (mean.half_width) joined.back().interval.emplace(*mean.low(), *mean.high());
  }
  points_ = std::move(joined);
}

/// The values of each line become places, and the share of its rows up to there becomes the value.
void Drawing::make_distributions() {
  std::map<std::pair<std::string, std::string>, std::vector<double>> lines;
  std::vector<std::pair<std::string, std::string>> order;
  for (const DrawnValue& point : points_) {
    auto& values = lines[{point.facet, point.line}];
    if (values.empty()) order.emplace_back(point.facet, point.line);
    values.push_back(point.y);
  }
  points_.clear();
  for (const auto& key : order) {
    std::vector<double>& values = lines.at(key);
    std::sort(values.begin(), values.end());
    DrawnValue point;
    std::tie(point.facet, point.line) = key;
    point.x = values.front();
    points_.push_back(point);  // no row lies below
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i + 1 < values.size() && values[i + 1] == values[i]) continue;
      point.x = values[i];
      point.y = static_cast<double>(i + 1) / static_cast<double>(values.size());
      points_.push_back(point);
    }
  }
}

LineChart Drawing::draw() const {
  const bool bars = chart_.form == TableChart::Form::kBars, cdf = chart_.form == TableChart::Form::kCdf;
  const bool numbers =
      !bars && std::all_of(points_.begin(), points_.end(), [](const DrawnValue& point) { return point.x.has_value(); });
  const std::string x_axis = title(chart_.x_axis, cdf ? chart_.y : Strings{chart_.x});
  const std::string y_axis = title(chart_.y_axis, cdf ? Strings{"share of the values"} : chart_.y);
  LineChart chart;
  chart.title = chart_.title;
  Strings facets, names;  // names: along the x axis, common to all panels
  for (const DrawnValue& point : points_) {
    if (std::find(names.begin(), names.end(), point.place) == names.end()) names.push_back(point.place);
  }
  const bool ordered =
      bars && std::all_of(points_.begin(), points_.end(), [](const DrawnValue& p) { return p.x.has_value(); });
  if (ordered) {
    std::sort(names.begin(), names.end(), [](const std::string& a, const std::string& b) {
      return *parse_number<double>(a) < *parse_number<double>(b);
    });
  }
  if (!numbers && names.size() > kMostNames)
    throw InputError(path_, 0,
                     fmt::format("{}: found {} names along the axis, allowed: {}", chart_.x, names.size(), kMostNames));
  for (const DrawnValue& point : points_) {
    auto facet = std::find(facets.begin(), facets.end(), point.facet);
    if (facet == facets.end()) {
      facets.push_back(point.facet);
      facet = facets.end() - 1;
      if (facets.size() > kMostPanels)
        throw InputError(path_, 0, fmt::format("{}: found one more panel, allowed: {}", chart_.facets, kMostPanels));
      LineChart::Panel& panel = chart.panels.emplace_back();
      panel.x_axis = x_axis + (point.facet.empty() ? "" : ", " + shortened(point.facet, kLongestName));
      panel.y_axis = y_axis;
      panel.doubling = chart_.doubling;
      panel.form = bars ? LineChart::Form::kBars : cdf ? LineChart::Form::kSteps : LineChart::Form::kLines;
      for (std::size_t i = 0; !numbers && i < names.size(); ++i)
        panel.ticks.push_back({static_cast<double>(i), shortened(names[i], kLongestName)});
      if (chart.panels.size() > 1) {  // a line has the same style in each panel
        for (const LineChart::Line& line : chart.panels.front().lines) panel.lines.push_back({line.name, {}});
      }
    }
    LineChart::Panel& panel = chart.panels[static_cast<std::size_t>(facet - facets.begin())];
    const std::string name = shortened(point.line, kLongestName);
    auto line = std::find_if(panel.lines.begin(), panel.lines.end(), [&](const auto& one) { return one.name == name; });
    if (line == panel.lines.end()) {
      for (LineChart::Panel& each : chart.panels) each.lines.push_back({name, {}});
      line = panel.lines.end() - 1;
    }
    const double at =
        numbers ? *point.x : static_cast<double>(std::find(names.begin(), names.end(), point.place) - names.begin());
    line->points.emplace_back(at, point.y);
    line->intervals.push_back(point.interval.value_or(std::pair(point.y, point.y)));
  }
  for (LineChart::Panel& panel : chart.panels) {
    for (LineChart::Line& line : panel.lines) {
      std::vector<std::size_t> order(line.points.size());
      for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t a, std::size_t b) { return line.points[a].first < line.points[b].first; });
      const bool none = std::all_of(line.intervals.begin(), line.intervals.end(),
                                    [](const auto& interval) { return interval.first == interval.second; });
      LineChart::Line sorted{line.name, {}};
      for (const std::size_t i : order) {
        sorted.points.push_back(line.points[i]);
        if (!none) sorted.intervals.push_back(line.intervals[i]);
      }
      line = std::move(sorted);
    }
  }
  return chart;
}

}  // namespace

LineChart chart_of_table(const std::string& path, const TableChart& chart) { return Drawing(path, chart).make(); }

}  // namespace gputlm
