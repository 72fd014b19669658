/// Plain charts as SVG: groups of bars, and lines over evenly spaced places.
#pragma once

#include <string>
#include <vector>

namespace gputlm {

struct ChartSeries {
  std::string name;
  std::string colour;  ///< as SVG takes it
};

/// One value a series. Of a bar chart a group of bars, of a line chart a place on the axis, where NaN leaves a series
/// out.
struct ChartGroup {
  std::string name;
  std::vector<double> values;  ///< not negative
};

struct BarChart {
  std::string y_axis;
  std::vector<ChartSeries> series;
  std::vector<ChartGroup> groups;
  double bar = 12;  ///< width of a bar; names of groups that are then too wide stand upright
};

struct LineChart {
  std::string x_axis, y_axis;
  std::vector<ChartSeries> series;
  std::vector<ChartGroup> places;
};

std::string svg(const BarChart& chart);
std::string svg(const LineChart& chart);

}  // namespace gputlm
