/// Charts as programs for gnuplot. All sizes are pixels of the SVG: room for names and legends is reckoned from the
/// number of characters, so that a picture does not depend on the fonts of the machine that draws it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

#include "platform/lab/chart_files.h"
#include "platform/lab/names_beside_points.h"

namespace gputlm {
namespace {

constexpr double kFont = 12, kCharacter = 6.9, kLine = 17;
constexpr double kWidest = 1000;  // of the plots; GitHub shows less, and letters shrink with the picture
constexpr double kLeft = 72, kRight = 20, kTop = 14;
constexpr double kBelow = 3.5 * kLine;  // the x axis: numbers and title

constexpr const char* kPalette[] = {colours::kBlue,   colours::kVermillion, colours::kGreen, colours::kOrange,
                                    colours::kPurple, colours::kSky,        colours::kBlack, colours::kGrey};
// gnuplot's point types: circle, square, triangle, ...; one less than colours, so that a ninth line differs, too.
constexpr int kMarks[] = {7, 5, 9, 13, 11, 6, 4};

std::string colour(const std::vector<ChartSeries>& series, std::size_t i) {
  return series[i].colour.empty() ? kPalette[i % std::size(kPalette)] : series[i].colour;
}

/// A string of gnuplot, in which nothing has a meaning but the quote.
std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "'";
}

/// A tick's name, which gnuplot takes for a format of printf.
std::string quoted_tick(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return in_quotes(doubled);
}

std::string number(double value) { return fmt::format("{:.12g}", value); }

double width_of(const std::string& text) { return kCharacter * static_cast<double>(text.size()); }

template <typename Items, typename Name>
double widest(const Items& items, const Name& name) {
  double most = 0;
  for (const auto& item : items) most = std::max(most, width_of(name(item)));
  return most;
}

/// Height of a legend over a plot, whose entries are all as wide as the widest.
template <typename Series>
double legend_height(const std::vector<Series>& series, double plot_width) {
  const double entry = widest(series, [](const auto& s) { return s.name; }) + 55;
  const double columns = std::max(1.0, std::floor(plot_width / entry));
  return kLine * std::ceil(static_cast<double>(series.size()) / columns) + 6;
}

/// Where a plot lies in the picture, without the names around it.
struct Area {
  double left, top, width, height;
};

/// How gnuplot draws for a file of this name: a pixel of an SVG is one of 96 to the inch elsewhere.
std::string terminal(const std::string& picture, double width, double height) {
  constexpr double kPixels = 96, kPoints = 0.75;
  const std::string ending = std::filesystem::path(picture).extension().string();
  if (ending == ".pdf")
    return fmt::format("pdfcairo size {:.4f},{:.4f} noenhanced font 'sans-serif,{}' background 'white'",
                       width / kPixels, height / kPixels, kPoints * kFont);
  if (ending == ".png")
    return fmt::format("pngcairo size {:.0f},{:.0f} noenhanced font 'sans-serif,{}' fontscale 1.5 background 'white'",
                       2 * width, 2 * height, kFont);
  return fmt::format("svg size {:.0f},{:.0f} fixed noenhanced font 'sans-serif,{}' background 'white'", width, height,
                     kFont);
}

class Script {
 public:
  Script(const std::string& picture, double width, double height) : width_(width), height_(height) {
    text_ = fmt::format(
        "set encoding utf8\n"
        "set terminal {}\n"
        "set output {}\n"
        "set border 3 linecolor rgb '#333333'\nset tics nomirror out\nset format '%.10g'\n"
        "set style fill solid 1 noborder\nset grid ytics linetype 1 linecolor rgb '#DDDDDD'\n"
        "set multiplot\n",
        terminal(picture, width, height), in_quotes(picture));
  }

  void panel(const Area& area) {
    text_ += fmt::format(
        "unset label\nunset arrow\nunset logscale\nset xtics autofreq norotate scale 0.5\nset ytics autofreq\n"
        "set xlabel ''\nset ylabel ''\n"
        "set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\nset tmargin at screen {:.6f}\n"
        "set bmargin at screen {:.6f}\n",
        area.left / width_, (area.left + area.width) / width_, 1 - area.top / height_,
        1 - (area.top + area.height) / height_);
  }
  /// Under the next plot's title, or at the top.
  void legend(bool shown, bool titled = false) {
    const double top = kTop / 3 + (titled ? kLine : 0);
    line(shown ? fmt::format("set key at screen {:.6f},{:.6f} left top horizontal Left reverse samplen 1.5",
                             kLeft / width_, 1 - top / height_)
               : "set key off");
  }
  void line(const std::string& text) { text_ += text + '\n'; }
  void title(const std::string& text) {
    line(fmt::format("set label {} at screen {:.6f},{:.6f} left", in_quotes(text), kLeft / width_, 1 - kTop / height_));
  }

  /// Items of the next plot(): one of data, in gnuplot's words how it is drawn, and its name in the legend.
  void item(const std::string& data, const std::string& how, const std::string& name) {
    text_ += fmt::format("$data{} << END\n{}END\n", items_, data);
    next_ += fmt::format("{}$data{} {}{}", next_.empty() ? "plot " : ", \\\n  ", items_, how,
                         name.empty() ? " notitle" : " title " + in_quotes(name));
    ++items_;
  }
  void plot() {
    line(next_.empty() ? "plot NaN notitle" : next_);
    next_.clear();
  }
  std::string take() { return text_ + "unset multiplot\n"; }

 private:
  double width_, height_;
  std::string text_, next_;
  unsigned items_ = 0;
};

std::string ticks(const std::vector<LineChart::Tick>& all) {
  std::string text;
  for (const LineChart::Tick& tick : all)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", quoted_tick(tick.name), number(tick.at));
  return "(" + text + ")";
}

/// A line of data for `boxes()`: a rectangle's corners.
std::string rectangle(double left, double right, double bottom, double top) {
  return fmt::format("{} {} {} {}\n", number(left), number(right), number(bottom), number(top));
}
std::string boxes(const std::string& rgb, const std::string& border = "noborder") {
  return fmt::format("using 1:3:1:2:3:4 with boxxyerror fillstyle solid 1 {} linecolor rgb '{}'", border, rgb);
}

/// What both kinds of bars have in common: rectangles at places that are one bar wide.
struct Bars {
  struct Part {
    std::size_t series;
    double place;  ///< in its group
    double from, until;
  };
  struct Group {
    std::string name;
    std::vector<Part> parts;
    std::vector<LineChart::Tick> ticks;  ///< by place
  };
  std::string y_axis;
  const std::vector<ChartSeries>& series;
  std::vector<Group> groups;
  double bars = 1;           ///< of the largest group
  bool names_above = false;  ///< of the groups; the names below are those of the bars
  std::string border = "noborder";
};

std::string draw(const Bars& chart, const std::string& svg) {
  constexpr double kThinnest = 4, kThickest = 16, kNarrowest = 360;
  const double group = chart.bars + (chart.bars > 2 ? 2 : 1);  // and the gap to the next
  const auto count = static_cast<double>(std::max<std::size_t>(chart.groups.size(), 1));
  const double rows = std::ceil(count * group * kThinnest / kWidest), in_row = std::ceil(count / rows);
  const double bar = std::clamp(std::floor(kWidest / (in_row * group)), kThinnest, kThickest);
  const double width = std::max(kNarrowest, in_row * group * bar), places = width / bar;

  double most = 0, longest = 0, between = kWidest;
  for (const Bars::Group& g : chart.groups) {
    for (const Bars::Part& part : g.parts) most = std::max(most, part.until);
    longest = std::max(longest, widest(g.ticks, [](const auto& tick) { return tick.name; }));
    between = std::min(between, bar * group / static_cast<double>(std::max<std::size_t>(g.ticks.size(), 1)));
  }
  const double height = std::max(220.0, width_of(chart.y_axis));
  const bool upright = longest + kCharacter > between;
  const double top = kTop + legend_height(chart.series, width), above = chart.names_above ? kLine : 0;
  const double row = above + height + (upright ? longest : kLine) + kLine;

  Script script(svg, kLeft + width + kRight, top + rows * row);
  const auto per_row = static_cast<std::size_t>(in_row);
  for (std::size_t first = 0, r = 0; first < std::max<std::size_t>(chart.groups.size(), 1); first += per_row, ++r) {
    script.panel({kLeft, top + above + static_cast<double>(r) * row, width, height});
    script.legend(r == 0);
    script.line(fmt::format("set ylabel {}", in_quotes(chart.y_axis)));
    script.line(
        fmt::format("set xrange [0:{}]\nset yrange [0:{}]", number(places), number(most > 0 ? 1.04 * most : 1)));
    std::vector<LineChart::Tick> names;
    std::vector<std::string> data(chart.series.size());
    for (std::size_t g = first; g < std::min(first + per_row, chart.groups.size()); ++g) {
      const double at = static_cast<double>(g - first) * group + (group - chart.bars) / 2;
      for (const LineChart::Tick& tick : chart.groups[g].ticks) names.push_back({at + tick.at, tick.name});
      for (const Bars::Part& part : chart.groups[g].parts)
        data[part.series] += rectangle(at + part.place + 0.04, at + part.place + 0.96, part.from, part.until);
      if (chart.names_above)
        script.line(fmt::format("set label {} at {},graph 1 center offset 0,0.7", in_quotes(chart.groups[g].name),
                                number(at + chart.bars / 2)));
    }
    script.line(fmt::format("set xtics {} scale 0 {}", upright ? "rotate by 90 right" : "norotate", ticks(names)));
    for (std::size_t s = 0; s < data.size(); ++s)
      script.item(data[s].empty() ? "NaN NaN NaN NaN\n" : data[s], boxes(colour(chart.series, s), chart.border),
                  chart.series[s].name);
    script.plot();
  }
  return script.take();
}

std::string draw(const BarChart& chart, const std::string& svg) {
  const auto size = static_cast<double>(chart.series.size());
  Bars bars{chart.y_axis, chart.series, {}, size};
  for (const BarChart::Group& group : chart.groups) {
    Bars::Group& drawn = bars.groups.emplace_back(Bars::Group{group.name, {}, {{size / 2, group.name}}});
    for (std::size_t s = 0; s < group.values.size(); ++s)
      drawn.parts.push_back({s, static_cast<double>(s), 0, group.values[s]});
  }
  return draw(bars, svg);
}

std::string draw(const StackedBarChart& chart, const std::string& svg) {
  Bars bars{chart.y_axis, chart.series, {}, 1, true, "border linecolor rgb '#555555'"};
  for (const StackedBarChart::Group& group : chart.groups) {
    Bars::Group& drawn = bars.groups.emplace_back(Bars::Group{group.name, {}, {}});
    bars.bars = std::max(bars.bars, static_cast<double>(group.bars.size()));
    for (std::size_t b = 0; b < group.bars.size(); ++b) {
      const auto place = static_cast<double>(b);
      drawn.ticks.push_back({place + 0.5, group.bars[b].name});
      double below = 0;
      for (std::size_t s = 0; s < group.bars[b].parts.size(); ++s) {
        const double part = group.bars[b].parts[s];
        drawn.parts.push_back({s, place, below, below + part});
        below += part;
      }
    }
  }
  return draw(bars, svg);
}

struct Range {
  double least, most;
};

/// Over the coordinate of all points that `of` gives, 0 included if so wished.
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

/// Those in a range, as many as have room for their names on an axis of this width.
std::vector<LineChart::Tick> powers_of_two(Range range, double width) {
  const double name = width_of(number(std::round(range.most))) + 2 * kCharacter;
  const double every = std::max(1.0, std::ceil(std::log2(range.most / range.least) * name / width));
  std::vector<LineChart::Tick> all;
  for (double i = std::ceil(std::log2(range.least)); std::exp2(i) <= range.most; i += every)
    all.push_back({std::exp2(i), number(std::exp2(i))});
  return all;
}

/// Corners and whiskers of bars beside each other: those of line `i` of a panel.
std::string bars_of(const LineChart::Panel& panel, std::size_t i, std::string& whiskers) {
  constexpr double kGroup = 0.8;  // of the distance between ticks
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
  const auto order = static_cast<double>(i);  // thinner and thinner: lines that lie on each other are all seen
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

/// Names along an axis that are too wide for their places stand upright.
bool stands_upright(const LineChart::Panel& panel, double width) {
  if (panel.ticks.size() < 2) return false;
  const double longest = widest(panel.ticks, [](const auto& tick) { return tick.name; });
  return longest + kCharacter > width / static_cast<double>(panel.ticks.size());
}

std::string draw(const LineChart& chart, const std::string& svg) {
  constexpr double kPanel = 360, kBetween = 72;
  constexpr std::size_t kInRow = 3;  // of a page's width
  double width = kPanel, right = kRight;
  if (chart.panels.size() == 1) {
    const auto& names = chart.panels.front().ticks;
    const double name = widest(names, [](const auto& tick) { return tick.name; }) + 2 * kCharacter;
    width = std::clamp(name * static_cast<double>(names.size()), 1.5 * kPanel, kWidest);
    if (!names.empty()) right += width_of(names.back().name) / 3;
  }
  const std::size_t count = std::max<std::size_t>(chart.panels.size(), 1);
  const auto in_row = static_cast<double>(std::min(count, kInRow));
  const auto rows = static_cast<double>((count + kInRow - 1) / kInRow);
  double legend = 0;
  double height = 260, below = kBelow;
  for (const LineChart::Panel& panel : chart.panels) {
    height = std::max(height, width_of(panel.y_axis));
    if (stands_upright(panel, width))
      below = std::max(below, 2 * kLine + widest(panel.ticks, [](const auto& tick) { return tick.name; }));
  }
  if (!chart.panels.empty()) legend = legend_height(chart.panels.front().lines, width);
  const double top = kTop + legend + (chart.title.empty() ? 0 : kLine);
  const double row = height + below + kLine;
  Script script(svg, kLeft + in_row * width + (in_row - 1) * kBetween + right, top + rows * row - kLine);
  for (std::size_t p = 0; p < chart.panels.size(); ++p) {
    const LineChart::Panel& panel = chart.panels[p];
    script.panel({kLeft + static_cast<double>(p % kInRow) * (width + kBetween),
                  top + static_cast<double>(p / kInRow) * row, width, height});
    if (p == 0 && !chart.title.empty()) script.title(chart.title);
    script.legend(p == 0, !chart.title.empty());
    script.line(fmt::format("set xlabel {}\nset ylabel {}", in_quotes(panel.x_axis), in_quotes(panel.y_axis)));
    Range x = range_of(panel, false, [](const auto& point) { return point.first; });
    Range y = range_of(panel, true, [](const auto& point) { return point.second; });
    for (const LineChart::Line& line : panel.lines) {
      for (const auto& [low, high] : line.intervals) y = {std::min(y.least, low), std::max(y.most, high)};
    }
    if (y.least == y.most) y.most = 1;
    const double beside = 0.04;
    if (panel.doubling) {
      const double part = x.most > x.least ? std::pow(x.most / x.least, beside) : 2;
      script.line("set logscale x 2\nset xtics " + ticks(powers_of_two(x, width)));
      x = {x.least / part, x.most * part};
    } else {
      const double part = x.most > x.least ? (x.most - x.least) * beside : 1;
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

std::string draw(const ScatterChart& chart, const std::string& svg) {
  constexpr double kSide = 400, kLeftOfAll = kLeft + 3 * kCharacter;  // numbers of any length
  Range range{INFINITY, -INFINITY};
  std::string data;
  for (const auto& [x, y] : chart.points) {
    range = {std::min({range.least, x, y}), std::max({range.most, x, y})};
    data += fmt::format("{} {}\n", number(x), number(y));
  }
  if (range.least > range.most) range = {1, 10};
  const double over = std::max(1.3, std::pow(range.most / range.least, 0.04));
  range = {range.least / over, range.most * over};
  const double top = kTop + kLine;
  Script script(svg, kLeftOfAll + kSide + kRight, top + kSide + kBelow);
  script.panel({kLeftOfAll, top, kSide, kSide});
  script.legend(true);
  script.line(fmt::format("set logscale xy\nset xlabel {}\nset ylabel {}\nset xrange [{}:{}]\nset yrange [{}:{}]",
                          in_quotes(chart.x_axis), in_quotes(chart.y_axis), number(range.least), number(range.most),
                          number(range.least), number(range.most)));
  script.item(fmt::format("{0} {0}\n{1} {1}\n", number(range.least), number(range.most)),
              fmt::format("with lines linewidth 1 linecolor rgb '{}'", colours::kGrey), "equal");
  script.item(data.empty() ? "NaN NaN\n" : data,
              fmt::format("with points pointtype {} pointsize 0.7 linecolor rgb '{}'", kMarks[0], colours::kVermillion),
              chart.name);
  script.plot();
  return script.take();
}

/// Of a logarithmic axis that has two powers of ten at most.
std::string ticks_within(const Range& range) {
  std::string ticks;
  const double decade = std::pow(10, std::floor(std::log10(range.least)));
  const std::vector<double> steps =
      range.most < 10 * range.least ? std::vector{1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 7.0} : std::vector{1.0, 2.0, 5.0};
  for (const double power : {decade, 10 * decade, 100 * decade}) {
    for (const double step : steps) {
      const double at = power * step;
      if (at >= range.least && at <= range.most) ticks += (ticks.empty() ? "" : ", ") + number(at);
    }
  }
  return ticks;
}

std::string draw(const LabelledChart& chart, const std::string& svg) {
  constexpr double kPlotWidth = 640, kPlotHeight = 400;
  Range y{INFINITY, -INFINITY};
  double most = 0, longest = 0;
  for (const LabelledChart::Series& series : chart.series) {
    for (const LabelledChart::Point& point : series.points) {
      y = {std::min(y.least, point.y), std::max(y.most, point.y)};
      most = std::max(most, point.x);
      longest = std::max(longest, width_of(point.name));
    }
  }
  if (y.least > y.most) y = {1, 10};
  const double over = std::max(1.3, std::pow(y.most / y.least, 0.06));
  y = {y.least / over, y.most * over};
  most = most > 0 ? 1.04 * most : 1;
  const double top = kTop + kLine;
  Script script(svg, kLeft + kPlotWidth + longest + kRight, top + kPlotHeight + kBelow);
  script.panel({kLeft, top, kPlotWidth, kPlotHeight});
  script.legend(true);
  script.line(fmt::format("set logscale y\nset xlabel {}\nset ylabel {}\nset xrange [0:{}]\nset yrange [{}:{}]",
                          in_quotes(chart.x_axis), in_quotes(chart.y_axis), number(most), number(y.least),
                          number(y.most)));
  if (y.most < 100 * y.least) script.line("set ytics (" + ticks_within(y) + ")");
  constexpr const char* kAnchors[] = {"left", "center", "right"};  // by NamesBesidePoints::Anchor
  const auto at_place = [&](double px, double py) {
    return NamesBesidePoints::Point{kPlotWidth * px / most,
                                    kPlotHeight * (1 - std::log(py / y.least) / std::log(y.most / y.least))};
  };
  const auto in_plot = [&](const LabelledChart::Point& point) { return at_place(point.x, point.y); };
  std::vector<NamesBesidePoints::Point> points;
  for (const LabelledChart::Series& series : chart.series)
    std::transform(series.points.begin(), series.points.end(), std::back_inserter(points), in_plot);
  NamesBesidePoints names(points, kPlotWidth + longest, kPlotHeight);
  if (!chart.line.empty()) {
    std::string data;
    for (const auto& [px, py] : chart.line) data += fmt::format("{} {}\n", number(px), number(py));
    for (std::size_t i = 1; i < chart.line.size(); ++i) {
      names.keep_clear(at_place(chart.line[i - 1].first, chart.line[i - 1].second),
                       at_place(chart.line[i].first, chart.line[i].second));
    }
    script.item(data, fmt::format("with lines linewidth 1.5 linecolor rgb '{}'", colours::kGrey), chart.line_name);
  }
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    std::string data;
    for (const LabelledChart::Point& point : chart.series[s].points) {
      data += fmt::format("{} {}\n", number(point.x), number(point.y));
      const NamesBesidePoints::Place place = names.place(in_plot(point), width_of(point.name), kFont);
      const std::string at = fmt::format("graph {:.6f},{:.6f}", place.at.x / kPlotWidth, 1 - place.at.y / kPlotHeight);
      script.line(fmt::format("set label {} at {} {}", in_quotes(point.name), at,
                              kAnchors[static_cast<std::size_t>(place.anchor)]));
      if (place.apart)
        script.line(fmt::format("set arrow from {},{} to {} nohead linewidth 0.5 linecolor rgb '{}'", number(point.x),
                                number(point.y), at, colours::kGrey));
    }
    script.item(data.empty() ? "NaN NaN\n" : data,
                fmt::format("with points pointtype {} pointsize 1 linecolor rgb '{}'", kMarks[s % std::size(kMarks)],
                            kPalette[s % std::size(kPalette)]),
                chart.series[s].name);
  }
  script.plot();
  return script.take();
}

std::string draw(const TimelineChart& chart, const std::string& svg) {
  constexpr double kNamedRow = 16, kRow = 5, kBetween = 7;
  // A band whose rows have names has its own above them, else beside.
  const auto named = [](const TimelineChart::Band& band) {
    return std::any_of(band.rows.begin(), band.rows.end(), [](const std::string& name) { return !name.empty(); });
  };
  double y = kLine * static_cast<double>(chart.marks.size() + chart.spans.size()), left = kLeft;
  std::vector<double> tops;  // of the bands
  std::vector<LineChart::Tick> names;
  std::vector<std::pair<std::string, double>> above;
  for (const TimelineChart::Band& band : chart.bands) {
    const double row = named(band) ? kNamedRow : kRow, height = row * static_cast<double>(band.rows.size());
    if (named(band)) {
      above.emplace_back(band.name, y + 0.7 * kLine);
      y += 1.3 * kLine;
    }
    tops.push_back(y);
    if (!named(band)) names.push_back({y + height / 2, band.name});
    for (std::size_t r = 0; named(band) && r < band.rows.size(); ++r)
      names.push_back({y + (static_cast<double>(r) + 0.5) * row, band.rows[r]});
    y += height + kBetween;
  }
  y = std::max(y, kLine);
  left = std::max(left, 20 + widest(names, [](const auto& tick) { return tick.name; }));
  const double top = kTop + legend_height(chart.series, kWidest);
  Script script(svg, left + kWidest + kRight, top + y + kBelow);
  script.panel({left, top, kWidest, y});
  script.legend(true);
  script.line(fmt::format("set xlabel {}\nset xrange [{}:{}]\nset yrange [{}:0]\nset ytics scale 0 {}",
                          in_quotes(chart.x_axis), number(chart.from), number(chart.until), number(y), ticks(names)));
  script.line("unset grid\nset grid xtics linetype 1 linecolor rgb '#DDDDDD'");
  for (const auto& [name, at] : above)
    script.line(fmt::format("set label {} at graph 0,first {} left offset 0.5,0", in_quotes(name), number(at)));
  double line = 0.5 * kLine;
  const auto label = [&](double at, const std::string& text, const char* rgb) {
    script.line(fmt::format("set label {} at {},{} left offset 0.7,0 textcolor rgb '{}'", in_quotes(text), number(at),
                            number(line), rgb));
  };
  for (const TimelineChart::Span& span : chart.spans) {
    script.line(
        fmt::format("set arrow from {},{} to {},{} heads size screen 0.004,60 front linewidth 2 linecolor rgb '{}'",
                    number(span.from), number(line), number(span.until), number(line), colours::kBlue));
    label(span.until, span.name, colours::kBlue);
    line += kLine;
  }
  for (const TimelineChart::Mark& mark : chart.marks) {
    script.line(fmt::format("set arrow from {},{} to {},{} nohead front dashtype 2 linecolor rgb '#333333'",
                            number(mark.at), number(line - 0.4 * kLine), number(mark.at), number(y)));
    label(mark.at, mark.name, "#333333");
    line += kLine;
  }
  std::vector<std::string> data(chart.series.size());
  for (const TimelineChart::Box& box : chart.boxes) {
    const TimelineChart::Band& band = chart.bands[box.band];
    const double row = named(band) ? kNamedRow : kRow, at = tops[box.band] + static_cast<double>(box.row) * row;
    const double from = std::max(box.from, chart.from), until = std::min(box.until, chart.until);
    if (from < until) data[box.series] += rectangle(from, until, at, at + row);
  }
  for (std::size_t s = 0; s < data.size(); ++s)
    script.item(data[s].empty() ? "NaN NaN NaN NaN\n" : data[s],
                boxes(colour(chart.series, s), "border linecolor rgb 'white'"), chart.series[s].name);
  script.plot();
  return script.take();
}

}  // namespace

const std::vector<std::string>& picture_endings() {
  static const std::vector<std::string> endings{".svg", ".pdf", ".png"};
  return endings;
}

std::string gnuplot_script(const Chart& chart, const std::string& picture) {
  return std::visit([&](const auto& kind) { return draw(kind, picture); }, chart);
}

}  // namespace gputlm
