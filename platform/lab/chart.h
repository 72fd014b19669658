/// The contents of a chart: data, names, axes with units. chart_files.h draws it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "platform/lab/experiment_runs.h"

namespace gputlm {

/// Colours that people with colour vision deficiencies can tell apart (Okabe and Ito, "Color Universal Design", 2008), and
/// two greys for the background.
namespace colours {
inline constexpr const char *kBlue = "#0072B2", *kVermillion = "#D55E00", *kGreen = "#009E73", *kOrange = "#E69F00",
                            *kPurple = "#CC79A7", *kSky = "#56B4E9", *kBlack = "#000000", *kGrey = "#999999",
                            *kLightGrey = "#E5E5E5";
}  // namespace colours

struct ChartSeries {
  std::string name;
  std::string colour;  ///< colour; empty: the next one of Okabe and Ito
};

/// Groups of bars side by side, one bar per series. A chart that would be too wide is wrapped.
struct BarChart {
  struct Group {
    std::string name;
    std::vector<double> values;  ///< non-negative, one per series
  };
  std::string y_axis;  ///< name of the axis, with its unit
  std::vector<ChartSeries> series;
  std::vector<Group> groups;
};

/// Groups of stacked bars, one part per series, the first at the bottom.
struct StackedBarChart {
  struct Bar {
    std::string name;
    std::vector<double> parts;  ///< non-negative, one per series
  };
  struct Group {
    std::string name;
    std::vector<Bar> bars;
  };
  std::string y_axis;
  std::vector<ChartSeries> series;
  std::vector<Group> groups;
};

/// Lines with a mark at each point, or bars or steps instead, in panels side by side, three per row.
struct LineChart {
  enum class Form {
    kLines,
    kBars,   ///< side by side at the ticks, one bar per line
    kSteps,  ///< without marks: each value holds until the next
  };
  /// A position on the x axis with a name instead of its number.
  struct Tick {
    double at;
    std::string name;
  };
  struct Line {
    std::string name;
    std::vector<std::pair<double, double>> points;  ///< in ascending order of x
    /// The interval of each point's value; empty: not known.
    std::vector<std::pair<double, double>> intervals = {};
  };
  struct Panel {
    std::string x_axis, y_axis;
    std::vector<Tick> ticks = {};  ///< ticks of the x axis; none: round numbers
    bool doubling = false;         ///< the x axis is logarithmic, for positive numbers only
    std::vector<Line> lines = {};
    Form form = Form::kLines;
  };
  std::string title;
  std::vector<Panel> panels;
};

/// Occupation of rows over time: rows in bands, from top to bottom, time from left to right.
struct TimelineChart {
  struct Band {
    std::string name;
    std::vector<std::string> rows;  ///< names of the rows, possibly empty
  };
  struct Box {
    std::size_t band, row;  ///< row: index within the band
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
  double from, until;  ///< the visible interval
  std::vector<ChartSeries> series;
  std::vector<Band> bands;
  std::vector<Box> boxes;
  std::vector<Mark> marks = {};  ///< marks across all bands
  std::vector<Span> spans = {};  ///< spans above the bands
};

/// Points with two positive coordinates of the same unit, on logarithmic axes of the same range; the diagonal marks equality.
struct ScatterChart {
  std::string x_axis, y_axis;
  std::string name;  ///< name of the points
  std::vector<std::pair<double, double>> points;
};

/// Points with names beside them; the y axis is logarithmic.
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
  std::vector<std::pair<double, double>> line = {};  ///< line through some of the points, in this order; empty: no line
};

using Chart = std::variant<BarChart, StackedBarChart, LineChart, TimelineChart, ScatterChart, LabelledChart>;

// Charts as SVG, PDF or PNG, drawn by gnuplot (http://gnuplot.info; Debian: gnuplot-nox).

/// File extensions of pictures.
const std::vector<std::string>& picture_endings();

/// The gnuplot program, including the data, that draws the chart into the file `picture`. It depends only on the chart;
/// gnuplot's output, if it is an SVG, depends only on gnuplot's version.
std::string gnuplot_script(const Chart& chart, const std::string& picture);

/// Writes `path`, which ends in one of these extensions, or an SVG to standard output ("-"; throws gnuplot's error). Without
/// gnuplot, or if it fails, reports this on standard error and writes the script instead (with the extension .gnuplot): a
/// chart must not cost a result. Throws InputError if the file cannot be written.
void write_chart(const std::string& path, const Chart& chart);

// A schedule drawn block by block: SMs from top to bottom, a row for each of the blocks that are resident at once, time from
// left to right.

/// A block, or the part of one between two preemptions.
struct ScheduledBlock {
  SmId sm = 0;
  std::size_t series = 0;  ///< index of its kernel's or application's series
  Cycle from = 0, until = 0;
};

/// The blocks of launches, one series per launch.
std::vector<ScheduledBlock> schedule_of(const std::vector<LaunchOutcome>& launches);
/// The blocks of a run by application; `applications` is indexed by launch. Preempted blocks are cut at the ends of their
/// applications' slices.
std::vector<ScheduledBlock> schedule_of(const RunResult& result, const std::vector<ApplicationId>& applications,
                                        bool preempted);

/// The blocks between two cycles.
TimelineChart schedule_chart(std::vector<ScheduledBlock> blocks, std::vector<ChartSeries> series, unsigned sms,
                             Cycle from, Cycle until, double mhz);
/// The same as text: one letter (of `letters`, by series) per `step` cycles.
std::string schedule_text(std::vector<ScheduledBlock> blocks, const std::string& letters, unsigned sms, Cycle from,
                          Cycle until, Cycle step);

}  // namespace gputlm
