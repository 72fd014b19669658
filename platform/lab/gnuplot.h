/// Common parts of gnuplot programs that draw charts. All sizes are pixels of the SVG. Room for names and legends is
/// estimated from the number of characters, so that a picture does not depend on the fonts of the machine that draws it.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "platform/lab/chart.h"

namespace gputlm::gnuplot {

inline constexpr double kFont = 12, kCharacter = 6.9, kLine = 17;
inline constexpr double kWidest = 1000;  // width of the plots; GitHub shows less, and text shrinks with the picture
inline constexpr double kLeft = 72, kRight = 20, kTop = 14;
inline constexpr double kBelow = 3.5 * kLine;  // the x axis: numbers and title

inline constexpr const char* kPalette[] = {colours::kBlue,   colours::kVermillion, colours::kGreen, colours::kOrange,
                                           colours::kPurple, colours::kSky,        colours::kBlack, colours::kGrey};
// gnuplot's point types: circle, square, triangle, ...; one fewer than colours, so that a ninth line still differs
inline constexpr int kMarks[] = {7, 5, 9, 13, 11, 6, 4};

inline std::string colour(const std::vector<ChartSeries>& series, std::size_t i) {
  return series[i].colour.empty() ? kPalette[i % std::size(kPalette)] : series[i].colour;
}

/// A gnuplot string, in which only the quote is special.
inline std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + "'";
}

/// The name of a tick, which gnuplot interprets as a printf format.
inline std::string quoted_tick(const std::string& text) {
  std::string doubled;
  for (const char c : text) doubled += c == '%' ? "%%" : std::string(1, c);
  return in_quotes(doubled);
}

inline std::string number(double value) { return fmt::format("{:.12g}", value); }

inline double width_of(const std::string& text) { return kCharacter * static_cast<double>(text.size()); }

template <typename Items, typename Name>
double widest(const Items& items, const Name& name) {
  double most = 0;
  for (const auto& item : items) most = std::max(most, width_of(name(item)));
  return most;
}

/// Height of a legend above a plot; all entries are as wide as the widest.
template <typename Series>
double legend_height(const std::vector<Series>& series, double plot_width) {
  const double entry = widest(series, [](const auto& s) { return s.name; }) + 55;
  const double columns = std::max(1.0, std::floor(plot_width / entry));
  return kLine * std::ceil(static_cast<double>(series.size()) / columns) + 6;
}

/// The area of a plot in the picture, without the names around it.
struct Area {
  double left, top, width, height;
};

/// The gnuplot terminal for a file of this name; formats other than SVG use 96 pixels per inch.
inline std::string terminal(const std::string& picture, double width, double height) {
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
  /// Places the legend under the next plot's title, or at the top.
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

  /// Adds an item to the next plot(): a data block, gnuplot's style for it, and its name in the legend.
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

inline std::string ticks(const std::vector<LineChart::Tick>& all) {
  std::string text;
  for (const LineChart::Tick& tick : all)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", quoted_tick(tick.name), number(tick.at));
  return "(" + text + ")";
}

/// A data line for `boxes()`: a rectangle's corners.
inline std::string rectangle(double left, double right, double bottom, double top) {
  return fmt::format("{} {} {} {}\n", number(left), number(right), number(bottom), number(top));
}
inline std::string boxes(const std::string& rgb, const std::string& border = "noborder") {
  return fmt::format("using 1:3:1:2:3:4 with boxxyerror fillstyle solid 1 {} linecolor rgb '{}'", border, rgb);
}

struct Range {
  double least, most;
};

/// The program for a line chart (line_chart.cpp).
std::string line_chart(const LineChart& chart, const std::string& svg);

}  // namespace gputlm::gnuplot
