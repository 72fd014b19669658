/// A chart of a table from a CSV file: which rows and columns are drawn, and how. A chart that would mislead its reader is
/// refused, with a hint at what would make it unambiguous.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/chart.h"

namespace gputlm {

struct TableChart {
  enum class Form {
    kLines,
    kBars,
    kCdf,  ///< the share of rows whose `y` does not exceed the value on the x axis
  };
  Form form = Form::kLines;
  std::string x;                    ///< column of numbers or names; unused by kCdf
  std::vector<std::string> y;       ///< columns of numbers in the same unit; several become one line each
  std::vector<std::string> groups;  ///< columns whose values, or combinations of values, get a line each
  std::string facets;               ///< column whose values get a panel each; empty: one panel
  std::vector<std::pair<std::string, std::string>> where;  ///< column and value: only rows that have it
  std::string low, high;  ///< columns with the bounds of each value's interval; both or none
  bool means = false;     ///< several values at a place become their mean with its confidence interval (metrics.h)
  bool doubling = false;  ///< LineChart::Panel::doubling
  std::string x_axis, y_axis, title;  ///< replace the names of the columns
};

/// Throws InputError with the file and, if there is one, the line: for a missing column, a value that is no number, several
/// values at one place, columns of different units on one axis, more lines or names than a reader can distinguish, and no
/// rows.
LineChart chart_of_table(const std::string& path, const TableChart& chart);

}  // namespace gputlm
