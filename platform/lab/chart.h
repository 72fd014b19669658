/// What a chart shows: data, names, axes with their units. chart_files.h draws it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace gputlm {

/// Colours that those who see colours differently can tell apart (Okabe and Ito, "Color Universal Design", 2008), and
/// two greys for what is not looked at.
namespace colours {
inline constexpr const char *kBlue = "#0072B2", *kVermillion = "#D55E00", *kGreen = "#009E73", *kOrange = "#E69F00",
                            *kPurple = "#CC79A7", *kSky = "#56B4E9", *kBlack = "#000000", *kGrey = "#999999",
                            *kLightGrey = "#E5E5E5";
}  // namespace colours

struct ChartSeries {
  std::string name;
  std::string colour;  ///< empty: the next of Okabe and Ito's
};

/// Groups of bars side by side, a bar a series. A chart that would be too wide goes on below.
struct BarChart {
  struct Group {
    std::string name;
    std::vector<double> values;  ///< not negative, one a series
  };
  std::string y_axis;  ///< with its unit
  std::vector<ChartSeries> series;
  std::vector<Group> groups;
};

/// Groups of bars that are each made of parts, one a series, the first at the bottom.
struct StackedBarChart {
  struct Bar {
    std::string name;
    std::vector<double> parts;  ///< not negative, one a series
  };
  struct Group {
    std::string name;
    std::vector<Bar> bars;
  };
  std::string y_axis;
  std::vector<ChartSeries> series;
  std::vector<Group> groups;
};

/// Lines with a mark at each point, or bars or steps in their place, in panels side by side, three in a row.
struct LineChart {
  enum class Form {
    kLines,
    kBars,   ///< beside each other at the ticks, a bar a line
    kSteps,  ///< without marks: each value holds until the next
  };
  /// A place on the x axis that has a name instead of its number.
  struct Tick {
    double at;
    std::string name;
  };
  struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< in ascending order of x
    /// From where to where the value of each point may be; empty: nothing is said of that.
    std::vector<std::pair<double, double>> intervals = {};
  };
  struct Panel {
    std::string x_axis, y_axis;
    std::vector<Tick> ticks = {};  ///< of the x axis; none: round numbers
    bool doubling = false;         ///< the x axis is logarithmic; it holds positive numbers only
    std::vector<Line> lines = {};
    Form form = Form::kLines;
  };
  std::string title;
  std::vector<Panel> panels;
};

/// What occupies which row from when until when: rows in bands, from top to bottom, time from left to right.
struct TimelineChart {
  struct Band {
    std::string name;
    std::vector<std::string> rows;  ///< their names, may be empty
  };
  struct Box {
    std::size_t band, row;  ///< row: of the band
    std::size_t series;
    double from, until;
  };
  struct Mark {
    double at;
    std::string name;
  };
  struct Span {
    double from, until;
    std::string name;
  };
  std::string x_axis;
  double from, until;  ///< what is shown of the time
  std::vector<ChartSeries> series;
  std::vector<Band> bands;
  std::vector<Box> boxes;
  std::vector<Mark> marks = {};  ///< across all bands
  std::vector<Span> spans = {};  ///< above the bands
};

/// Points of two positive quantities of the same unit, on logarithmic axes of the same range; the diagonal is where both are
/// equal.
struct ScatterChart {
  std::string x_axis, y_axis;
  std::string name;  ///< of the points
  std::vector<std::pair<double, double>> points;
};

/// Points with their names beside them; the y axis is logarithmic.
struct LabelledChart {
  struct Point {
    double x, y;  ///< y above 0
    std::string name;
  };
  struct Series {
    std::string name;
    std::vector<Point> points;
  };
  std::string x_axis, y_axis;
  std::vector<Series> series;
  std::string line_name = {};
  std::vector<std::pair<double, double>> line = {};  ///< through some of the points, in their order; none: no line
};

using Chart = std::variant<BarChart, StackedBarChart, LineChart, TimelineChart, ScatterChart, LabelledChart>;

}  // namespace gputlm
