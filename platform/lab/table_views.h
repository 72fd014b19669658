/// What is made of a table with a line a run: a table with fewer lines, and charts. Columns go by their names; what a
/// chart writes at an axis is the column's meaning, with its unit. Asking for a column that is not there is a
/// std::logic_error.
#pragma once

#include <string>
#include <vector>

#include "platform/files/table.h"
#include "platform/lab/chart.h"

namespace gputlm {

/// The lines that have this in a column.
Table lines_with(const Table& table, const std::string& column, const std::string& text);

/// The lines that have the same in `rows` become one, with `values` once for each value of the column `by`:
/// numbers in ascending order, others in that of the table.
Table pivot(const Table& table, const std::vector<std::string>& rows, const std::string& by,
            const std::vector<std::string>& values);

/// The lines that have the same in `rows` become one, with the mean of each of `values`.
Table means(const Table& table, const std::vector<std::string>& rows, const std::vector<std::string>& values);

struct LineView {
  std::string x, y;
  std::vector<std::string> lines = {};  ///< columns with a line a value
  std::string panels = {};              ///< column with a panel a value; empty: one panel
  bool doubling = false;                ///< as LineChart::Panel::doubling
};
/// Texts of `x` become ticks.
LineChart line_chart(const Table& table, const LineView& view);

/// A group of bars a line of the table, named by the columns `group`, with a bar for each of the columns `bars`, no
/// higher than `cut`.
BarChart bar_chart(const Table& table, const std::string& y_axis, const std::vector<std::string>& group,
                   const std::vector<std::string>& bars, double cut = 0);

}  // namespace gputlm
