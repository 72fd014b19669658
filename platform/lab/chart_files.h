/// Charts as SVG, drawn by gnuplot (http://gnuplot.info; Debian: gnuplot-nox).
#pragma once

#include <string>

#include "platform/lab/chart.h"

namespace gputlm {

/// The program by which gnuplot draws the chart, data included, as the file `svg`. It depends on
/// nothing but the chart, and what gnuplot makes of it on nothing but gnuplot's version.
std::string gnuplot_script(const Chart& chart, const std::string& svg);

/// Writes `path`, which ends in .svg, or to standard output ("-"; throws what gnuplot has to say). Without gnuplot, or if it fails, says so on the standard error output and leaves
/// the script in its place (.gnuplot instead of .svg): a chart is never worth a lost result. Throws InputError when the
/// file cannot be written.
void write_chart(const std::string& path, const Chart& chart);

}  // namespace gputlm
