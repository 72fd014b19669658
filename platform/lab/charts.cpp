#include "platform/lab/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gputlm {
namespace {

constexpr double kTop = 40, kLeft = 56, kRight = 16, kHeight = 220, kBottom = 46;

/// The distance of the lines across: 1, 2 or 5 times a power of ten, four to nine of them up to `largest`.
double grid_of(double largest) {
  double step = 1;
  while (largest / step > 9) step *= 10;
  while (largest / step < 4) step /= 10;
  for (const double factor : {5.0, 2.0}) {
    if (largest / (step * factor) >= 4) return step * factor;
  }
  return step;
}

/// Background, legend, axes and lines across; the caller draws the rest and closes the picture.
class Canvas {
 public:
  /// `bottom`: room for the names under the axis.
  Canvas(double width, const std::string& y_axis, const std::vector<ChartSeries>& series,
         const std::vector<ChartGroup>& groups, double bottom = kBottom) {
    double largest = 0;
    for (const ChartGroup& group : groups) {
      for (const double value : group.values) largest = std::max(largest, value);
    }
    const double grid = grid_of(largest > 0 ? largest : 1);
    top_ = grid * std::ceil(std::max(largest, grid) / grid);
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} "
        "{1:.0f}\" "
        "font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"white\"/>\n",
        width, kTop + kHeight + bottom);
    double x = kLeft;
    for (const ChartSeries& s : series) {
      text_ += fmt::format(
          "<rect x=\"{:.0f}\" y=\"12\" width=\"10\" height=\"10\" fill=\"{}\"/>\n<text x=\"{:.0f}\" "
          "y=\"21\">{}</text>\n",
          x, s.colour, x + 14, s.name);
      x += 28 + 6 * static_cast<double>(s.name.size());
    }
    for (double value = 0; value <= top_ * 1.0001; value += grid) {
      text_ += fmt::format(
          "<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.4g}</text>\n<line x1=\"{}\" y1=\"{:.1f}\" "
          "x2=\"{:.0f}\" "
          "y2=\"{:.1f}\" stroke=\"#ddd\"/>\n",
          kLeft - 6, y(value) + 3, value, kLeft, y(value), width - kRight, y(value));
    }
    text_ += fmt::format("<text transform=\"translate(14,{:.0f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                         kTop + kHeight / 2, y_axis);
  }
  double y(double value) const { return kTop + kHeight * (1 - value / top_); }
  void label(double x, const std::string& name) {
    text_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x, kTop + kHeight + 16, name);
  }
  void upright_label(double x, const std::string& name) {
    text_ += fmt::format("<text transform=\"translate({:.1f},{:.0f}) rotate(-90)\" text-anchor=\"end\">{}</text>\n",
                         x + 3, kTop + kHeight + 6, name);
  }
  void add(const std::string& text) { text_ += text; }
  std::string close() { return text_ + "</svg>\n"; }

 private:
  std::string text_;
  double top_ = 1;
};

double legend_width(const std::vector<ChartSeries>& series) {
  double width = kLeft;
  for (const ChartSeries& s : series) width += 28 + 6 * static_cast<double>(s.name.size());
  return width;
}

}  // namespace

std::string svg(const BarChart& chart) {
  const double gap = chart.bar < 12 ? 8 : 22;
  const double group = chart.bar * static_cast<double>(chart.series.size()) + gap;
  double widest_name = 0;
  for (const ChartGroup& g : chart.groups) widest_name = std::max(widest_name, 6 * static_cast<double>(g.name.size()));
  const bool upright = widest_name > group + gap;
  const double width =
      std::max(legend_width(chart.series), kLeft + group * static_cast<double>(chart.groups.size()) + kRight);
  Canvas canvas(width, chart.y_axis, chart.series, chart.groups, upright ? widest_name + 12 : kBottom);
  double x = kLeft + gap / 2;
  for (const ChartGroup& g : chart.groups) {
    const double middle = x + (group - gap) / 2;
    upright ? canvas.upright_label(middle, g.name) : canvas.label(middle, g.name);
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      const double top = canvas.y(g.values[i]);
      canvas.add(fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{:.1f}\" fill=\"{}\"/>\n",
                             x + chart.bar * static_cast<double>(i), top, chart.bar - 1, kTop + kHeight - top,
                             chart.series[i].colour));
    }
    x += group;
  }
  return canvas.close();
}

std::string svg(const LineChart& chart) {
  constexpr double kStep = 64;
  const auto places = static_cast<double>(chart.places.size());
  const double width = std::max(legend_width(chart.series), kLeft + kStep * places + kRight);
  Canvas canvas(width, chart.y_axis, chart.series, chart.places);
  const auto x = [&](std::size_t place) { return kLeft + kStep * (static_cast<double>(place) + 0.5); };
  for (std::size_t p = 0; p < chart.places.size(); ++p) canvas.label(x(p), chart.places[p].name);
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    std::string points;
    for (std::size_t p = 0; p < chart.places.size(); ++p) {
      if (std::isnan(chart.places[p].values[s])) continue;
      const double y = canvas.y(chart.places[p].values[s]);
      points += fmt::format("{}{:.1f},{:.1f}", points.empty() ? "" : " ", x(p), y);
      canvas.add(fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x(p), y,
                             chart.series[s].colour));
    }
    canvas.add(fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", points,
                           chart.series[s].colour));
  }
  canvas.add(fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", (kLeft + width) / 2,
                         kTop + kHeight + 36, chart.x_axis));
  return canvas.close();
}

}  // namespace gputlm
