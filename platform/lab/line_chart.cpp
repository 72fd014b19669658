/// Lines, bars and steps over an axis of numbers or names, in panels.
#include "platform/lab/gnuplot.h"

namespace gputlm::gnuplot {
namespace {

/// The range of the coordinate `of` over all points, including 0 if requested.
template <typename Coordinate>
Range range_of(const LineChart::Panel& panel, bool with_zero, const Coordinate& of) {
  Range range{INFINITY, -INFINITY};
  if (with_zero) range = {0, 0};
  for (const LineChart::Line& line : panel.lines) {
    for (const auto& point : line.points) {
      range.least = std::min<double>(range.least, of(point));
      range.most = std::max<double>(range.most, of(point));
    }
  }
  return range.least <= range.most ? range : Range{0, 1};
}

/// The powers of two in a range; only those whose names fit on an axis of this width.
std::vector<LineChart::Tick> powers_of_two(Range range, double width) {
  const double name = width_of(number(std::round(range.most))) + 2 * kCharacter;
  const double every = std::max(1.0, std::ceil(std::log2(range.most / range.least) * name / width));
  std::vector<LineChart::Tick> all;
  for (double i = std::ceil(std::log2(range.least)); std::exp2(i) <= range.most; i += every)
    all.push_back({std::exp2(i), number(std::exp2(i))});
  return all;
}

/// Corners and whiskers of bars side by side: those of line `i` of a panel.
std::string bars_of(const LineChart::Panel& panel, std::size_t i, std::string& whiskers) {
  constexpr double kGroup = 0.8;  // relative to the distance of ticks
  const auto count = static_cast<double>(panel.lines.size());
  const double bar = kGroup / count, offset = (static_cast<double>(i) + 0.5) * bar - kGroup / 2;
  std::string data;
  const LineChart::Line& line = panel.lines[i];
  for (std::size_t p = 0; p < line.points.size(); ++p) {
    const auto [x, y] = line.points[p];
    data += rectangle(x + offset - 0.46 * bar, x + offset + 0.46 * bar, std::min(y, 0.0), std::max(y, 0.0));
    if (p < line.intervals.size())
      whiskers += fmt::format("{} {} {} {}\n", number(x + offset), number(y), number(line.intervals[p].first),
                              number(line.intervals[p].second));
  }
  return data;
}

void draw_line(Script& script, const LineChart::Panel& panel, std::size_t i) {
  const LineChart::Line& line = panel.lines[i];
  const auto order =
      static_cast<double>(i);  // each thinner than the one before: lines on top of each other stay visible
  const char* const rgb = kPalette[i % std::size(kPalette)];
  std::string whiskers;
  if (panel.form == LineChart::Form::kBars) {
    const std::string data = bars_of(panel, i, whiskers);
    script.item(data.empty() ? "NaN NaN NaN NaN\n" : data, boxes(rgb), line.name);
  } else {
    std::string data;
    for (std::size_t p = 0; p < line.points.size(); ++p) {
      const auto [at, value] = line.points[p];
      data += fmt::format("{} {}\n", number(at), number(value));
      if (p < line.intervals.size())
        whiskers += fmt::format("{} {} {} {}\n", number(at), number(value), number(line.intervals[p].first),
                                number(line.intervals[p].second));
    }
    const std::string width = number(std::max(1.5, 3 - 0.4 * order));
    script.item(data.empty() ? "NaN NaN\n" : data,
                panel.form == LineChart::Form::kSteps
                    ? fmt::format("with steps linewidth {} linecolor rgb '{}'", width, rgb)
                    : fmt::format("with linespoints linewidth {} pointtype {} pointsize {} linecolor rgb '{}'", width,
                                  kMarks[i % std::size(kMarks)], number(std::max(0.6, 1 - 0.1 * order)), rgb),
                line.name);
  }
  if (!whiskers.empty())
    script.item(
        whiskers,
        fmt::format("using 1:3:(0):($4-$3) with vectors heads size graph 0.005,90 linewidth 1.2 linecolor rgb '{}'",
                    panel.form == LineChart::Form::kBars ? "#333333" : rgb),
        "");
}

/// Whether names along an axis are too wide for their places and must stand upright.
bool stands_upright(const LineChart::Panel& panel, double width) {
  if (panel.ticks.size() < 2) return false;
  const double longest = widest(panel.ticks, [](const auto& tick) { return tick.name; });
  return longest + kCharacter > width / static_cast<double>(panel.ticks.size());
}

/// Distance of numbers on an axis of this width, so that they do not touch: 1, 2 or 5 times a power of ten. 0: gnuplot's
/// choice, for up to eight.
double step_of_numbers(Range range, double width) {
  constexpr double kMostByItself = 8;
  const double name = width_of(number(std::round(range.most))) + 2 * kCharacter;
  if (name * kMostByItself <= width || range.most <= range.least) return 0;
  const double least = (range.most - range.least) * name / width, power = std::pow(10, std::floor(std::log10(least)));
  for (const double times : {1.0, 2.0, 5.0}) {
    if (times * power >= least) return times * power;
  }
  return 10 * power;
}

/// The range of y, including intervals.
Range heights(const LineChart::Panel& panel) {
  Range y = range_of(panel, true, [](const auto& point) { return point.second; });
  for (const LineChart::Line& line : panel.lines) {
    for (const auto& [low, high] : line.intervals) y = {std::min(y.least, low), std::max(y.most, high)};
  }
  return y;
}

/// Space to the left of a plot, for the axis label and numbers of four or more characters.
double beside_plot(const LineChart& chart) {
  constexpr std::size_t kCounted = 4;
  std::size_t digits = 0;
  for (const LineChart::Panel& panel : chart.panels) {
    const Range y = heights(panel);
    if (std::isfinite(y.most))
      digits = std::max({digits, fmt::format("{:.0f}", y.most).size(), fmt::format("{:.0f}", y.least).size()});
  }
  return kLeft + kCharacter * static_cast<double>(digits - std::min(digits, kCounted));
}

}  // namespace

std::string line_chart(const LineChart& chart, const std::string& svg) {
  constexpr double kPanel = 360, kBetween = 72;
  constexpr std::size_t kInRow = 3;  // that fit the width of a page
  double width = kPanel, right = kRight;
  if (chart.panels.size() == 1) {
    const auto& names = chart.panels.front().ticks;
    const double name = widest(names, [](const auto& tick) { return tick.name; }) + 2 * kCharacter;
    width = std::clamp(name * static_cast<double>(names.size()), 1.5 * kPanel, kWidest);
    if (!names.empty()) right += width_of(names.back().name) / 3;
  }
  const std::size_t count = std::max<std::size_t>(chart.panels.size(), 1);
  const auto in_row = static_cast<double>(std::min(count, kInRow));
  const std::size_t rows = (count + kInRow - 1) / kInRow;
  double legend = 0;
  double height = 260, below = kBelow;
  for (const LineChart::Panel& panel : chart.panels) {
    height = std::max(height, width_of(panel.y_axis));
    if (stands_upright(panel, width))
      below = std::max(below, 2 * kLine + widest(panel.ticks, [](const auto& tick) { return tick.name; }));
  }
  if (!chart.panels.empty()) legend = legend_height(chart.panels.front().lines, width);
  const double top = kTop + legend + (chart.title.empty() ? 0 : kLine);
  const double row = height + below + kLine, left = beside_plot(chart), between = kBetween + left - kLeft;
  Script script(svg, left + in_row * width + (in_row - 1) * between + right,
                top + static_cast<double>(rows) * row - kLine);
  for (std::size_t p = 0; p < chart.panels.size(); ++p) {
    const LineChart::Panel& panel = chart.panels[p];
    const std::size_t line = p / kInRow, column = p % kInRow;
    script.panel(
        {left + static_cast<double>(column) * (width + between), top + static_cast<double>(line) * row, width, height});
    if (p == 0 && !chart.title.empty()) script.title(chart.title);
    script.legend(p == 0, !chart.title.empty());
    script.line(fmt::format("set xlabel {}\nset ylabel {}", in_quotes(panel.x_axis), in_quotes(panel.y_axis)));
    Range x = range_of(panel, false, [](const auto& point) { return point.first; });
    Range y = heights(panel);
    if (y.least == y.most) y.most = 1;
    const double beside = 0.04;
    if (panel.doubling) {
      const double part = x.most > x.least ? std::pow(x.most / x.least, beside) : 2;
      script.line("set logscale x 2\nset xtics " + ticks(powers_of_two(x, width)));
      x = {x.least / part, x.most * part};
    } else {
      const double part = x.most > x.least ? (x.most - x.least) * beside : 1;
      if (const double step = step_of_numbers(x, width); step > 0) script.line("set xtics " + number(step));
      x = {x.least - part, x.most + part};
    }
    if (panel.form == LineChart::Form::kBars && !panel.ticks.empty())
      x = {panel.ticks.front().at - 0.5, panel.ticks.back().at + 0.5};
    const double over = 0.04 * (y.most - y.least);
    script.line(fmt::format("set xrange [{}:{}]\nset yrange [{}:{}]", number(x.least), number(x.most),
                            number(y.least < 0 ? y.least - over : 0), number(y.most + over)));
    if (!panel.ticks.empty()) {
      script.line(
          fmt::format("set xtics {}{}", stands_upright(panel, width) ? "rotate by 90 right " : "", ticks(panel.ticks)));
    }
    if (y.least < 0) script.line("set arrow from graph 0,first 0 to graph 1,first 0 nohead linecolor rgb '#333333'");
    for (std::size_t i = 0; i < panel.lines.size(); ++i) draw_line(script, panel, i);
    script.plot();
  }
  return script.take();
}

}  // namespace gputlm::gnuplot
