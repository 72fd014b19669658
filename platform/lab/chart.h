/// What a chart shows: data, names, axes with their units. chart_files.h draws it.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "platform/lab/experiment_runs.h"

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

// Charts as SVG, PDF or PNG, drawn by gnuplot (http://gnuplot.info; Debian: gnuplot-nox).

/// What the name of a picture may end in.
const std::vector<std::string>& picture_endings();

/// The program by which gnuplot draws the chart, data included, as the file `picture`. It depends on
/// nothing but the chart, and what gnuplot makes of it, if it is an SVG, on nothing but gnuplot's version.
std::string gnuplot_script(const Chart& chart, const std::string& picture);

/// Writes `path`, which ends in one of them, or an SVG to standard output ("-"; throws what gnuplot has to say). Without gnuplot, or if it fails, says so on the standard error output and leaves
/// the script in its place (.gnuplot instead of its ending): a chart is never worth a lost result. Throws InputError when the
/// file cannot be written.
void write_chart(const std::string& path, const Chart& chart);

// A schedule drawn block by block: SMs from top to bottom, a row for each block that is there at once, time from left to
// right.

/// A block, or the part of one between two preemptions.
struct ScheduledBlock {
  SmId sm = 0;
  std::size_t series = 0;  ///< to which it belongs: of its kernel, or its application
  Cycle from = 0, until = 0;
};

/// The blocks of launches, each a series of its own.
std::vector<ScheduledBlock> schedule_of(const std::vector<LaunchOutcome>& launches);
/// The blocks of a run by application, which `applications` has by launch. Where blocks were preempted they are cut where
/// their applications' slices were.
std::vector<ScheduledBlock> schedule_of(const RunResult& result, const std::vector<ApplicationId>& applications,
                                        bool preempted);

/// Those between two cycles.
TimelineChart schedule_chart(std::vector<ScheduledBlock> blocks, std::vector<ChartSeries> series, unsigned sms,
                             Cycle from, Cycle until, double mhz);
/// The same as text, a letter (of `letters`, by series) each `step` cycles.
std::string schedule_text(std::vector<ScheduledBlock> blocks, const std::string& letters, unsigned sms, Cycle from,
                          Cycle until, Cycle step);

}  // namespace gputlm
