/// A chart of a table that came as a file (CSV): which rows and columns are drawn, and how. What cannot be drawn so that a
/// reader would understand it is refused, with what would tell things apart.
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
    kCdf,  ///< the share of the rows with a value of `y` up to that on the x axis
  };
  Form form = Form::kLines;
  std::string x;                    ///< column: numbers, or names; not of kCdf
  std::vector<std::string> y;       ///< columns of numbers in one unit: each of several is a line
  std::vector<std::string> groups;  ///< columns with a line a value, or a combination of values
  std::string facets;               ///< column with a panel a value; empty: one panel
  std::vector<std::pair<std::string, std::string>> where;  ///< column and value: only rows that have it
  std::string low, high;  ///< columns with the ends of each value's interval; both or none
  bool means = false;     ///< of several values at a place, the mean and its confidence interval (metrics.h)
  bool doubling = false;  ///< LineChart::Panel::doubling
  std::string x_axis, y_axis, title;  ///< texts in the place of the columns' names
};

/// Throws InputError with file and, where it is about one, line: for a column that is not there, what is no number, several
/// values at one place, columns of different units on one axis, more lines or names than anybody tells apart, and no rows.
LineChart chart_of_table(const std::string& path, const TableChart& chart);

}  // namespace gputlm
