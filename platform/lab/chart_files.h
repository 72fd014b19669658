/// Charts as SVG, PDF or PNG, drawn by gnuplot (http://gnuplot.info; Debian: gnuplot-nox).
#pragma once

#include <string>
#include <vector>

#include "platform/lab/chart.h"

namespace gputlm {

/// What the name of a picture may end in.
const std::vector<std::string>& picture_endings();

/// The program by which gnuplot draws the chart, data included, as the file `picture`. It depends on
/// nothing but the chart, and what gnuplot makes of it, if it is an SVG, on nothing but gnuplot's version.
std::string gnuplot_script(const Chart& chart, const std::string& picture);

/// Writes `path`, which ends in one of them, or an SVG to standard output ("-"; throws what gnuplot has to say). Without gnuplot, or if it fails, says so on the standard error output and leaves
/// the script in its place (.gnuplot instead of its ending): a chart is never worth a lost result. Throws InputError when the
/// file cannot be written.
void write_chart(const std::string& path, const Chart& chart);

}  // namespace gputlm
