/// Charts as gnuplot programs: bars, points, named points, timelines.
#include "platform/lab/chart.h"
#include "platform/lab/gnuplot.h"
#include "platform/lab/names_beside_points.h"

namespace gputlm {
namespace gnuplot {
namespace {

/// The common form of both kinds of bars: rectangles at places one bar wide.
struct Bars {
  struct Part {
    std::size_t series;
    double place;  ///< place within its group
    double from, until;
  };
  struct Group {
    std::string name;
    std::vector<Part> parts;
    std::vector<LineChart::Tick> ticks;  ///< ticks, indexed by place
  };
  std::string y_axis;
  const std::vector<ChartSeries>& series;
  std::vector<Group> groups;
  double bars = 1;           ///< number of bars in the largest group
  bool names_above = false;  ///< whether groups have names above them; the names below are those of the bars
  std::string border = "noborder";
};

std::string draw(const Bars& chart, const std::string& svg) {
  constexpr double kThinnest = 4, kThickest = 16, kNarrowest = 360;
  const double group = chart.bars + (chart.bars > 2 ? 2 : 1);  // including the gap to the next group
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

std::string draw(const LineChart& chart, const std::string& svg) { return line_chart(chart, svg); }

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

/// Ticks of a logarithmic axis that spans at most two powers of ten.
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
  // A band with named rows has its own name above them, otherwise beside it.
  const auto named = [](const TimelineChart::Band& band) {
    return std::any_of(band.rows.begin(), band.rows.end(), [](const std::string& name) { return !name.empty(); });
  };
  double y = kLine * static_cast<double>(chart.marks.size() + chart.spans.size()), left = kLeft;
  std::vector<double> tops;  // tops of the bands
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
}  // namespace gnuplot

const std::vector<std::string>& picture_endings() {
  static const std::vector<std::string> endings{".svg", ".pdf", ".png"};
  return endings;
}

std::string gnuplot_script(const Chart& chart, const std::string& picture) {
  return std::visit([&](const auto& kind) { return gnuplot::draw(kind, picture); }, chart);
}

}  // namespace gputlm
