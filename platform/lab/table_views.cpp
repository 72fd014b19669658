#include "platform/lab/table_views.h"

#include <algorithm>
#include <stdexcept>

namespace gputlm {
namespace {

std::vector<std::size_t> places(const Table& table, const std::vector<std::string>& names) {
  std::vector<std::size_t> places;
  for (const std::string& name : names) places.push_back(table.column(name));
  return places;
}

std::string text_of(const std::vector<Cell>& row, const std::vector<std::size_t>& columns, const char* between) {
  std::string text;
  for (const std::size_t column : columns) text += (text.empty() ? "" : between) + row[column].text();
  return text;
}

std::string identifier(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return std::string(" ,+/").find(c) != std::string::npos; }, '_');
  return text;
}

double number(const Cell& cell) {
  if (const auto number = cell.number()) return *number;
  throw std::logic_error("'" + cell.text() + "' of a chart is no number");
}

/// Place of the entry of this name; a new one is made of `entry`.
template <class Entry>
std::size_t place_of(std::vector<std::string>& names, std::vector<Entry>& entries, const std::string& name,
                     Entry entry) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  names.push_back(name);
  entries.push_back(std::move(entry));
  return names.size() - 1;
}

std::string axis(const TableColumn& column) {
  const std::string& text = column.meaning.empty() ? column.name : column.meaning;
  return column.unit.empty() ? text : text + " (" + column.unit + ")";
}

}  // namespace

Table lines_with(const Table& table, const std::string& column, const std::string& text) {
  Table result(table.columns());
  for (const std::vector<Cell>& row : table.rows()) {
    if (row[table.column(column)].text() == text) result.add(row);
  }
  return result;
}

Table pivot(const Table& table, const std::vector<std::string>& rows, const std::string& by,
            const std::vector<std::string>& values) {
  const std::size_t by_column = table.column(by);
  const std::vector<std::size_t> row_columns = places(table, rows), value_columns = places(table, values);
  std::vector<TableColumn> columns;
  for (const std::size_t column : row_columns) columns.push_back(table.columns()[column]);
  std::vector<std::string> heads, lines;
  std::vector<std::vector<Cell>> cells;
  std::vector<Cell> values_of_by;
  for (const std::vector<Cell>& row : table.rows())
    place_of(heads, values_of_by, row[by_column].text(), row[by_column]);
  if (std::all_of(values_of_by.begin(), values_of_by.end(), [](const Cell& cell) { return cell.is_number(); })) {
    std::sort(values_of_by.begin(), values_of_by.end(),
              [](const Cell& a, const Cell& b) { return number(a) < number(b); });
  }
  heads.clear();
  for (const Cell& cell : values_of_by) {
    const std::string& head = heads.emplace_back(cell.text());
    for (const std::size_t column : value_columns) {
      const TableColumn& value = table.columns()[column];
      const std::string& title = value.title.empty() ? value.name : value.title;
      columns.push_back(
          {value.name + "_" + identifier(head), value.unit, value.meaning,
           values.size() == 1 ? head + (value.unit.empty() ? "" : " [" + value.unit + "]") : head + " " + title,
           value.digits});
    }
  }
  for (const std::vector<Cell>& row : table.rows()) {
    std::vector<Cell> line(columns.size());
    for (std::size_t i = 0; i < row_columns.size(); ++i) line[i] = row[row_columns[i]];
    const std::size_t place = place_of(lines, cells, text_of(row, row_columns, "\n"), std::move(line));
    const auto head =
        static_cast<std::size_t>(std::find(heads.begin(), heads.end(), row[by_column].text()) - heads.begin());
    for (std::size_t i = 0; i < values.size(); ++i)
      cells[place][rows.size() + head * values.size() + i] = row[value_columns[i]];
  }
  Table wide(std::move(columns));
  for (std::vector<Cell>& line : cells) wide.add(std::move(line));
  return wide;
}

Table means(const Table& table, const std::vector<std::string>& rows, const std::vector<std::string>& values) {
  std::vector<TableColumn> columns;
  for (const auto* const names : {&rows, &values}) {
    for (const std::string& name : *names) columns.push_back(table.columns()[table.column(name)]);
  }
  std::vector<std::string> lines;
  std::vector<std::vector<const std::vector<Cell>*>> of;  // the lines that become one
  for (const std::vector<Cell>& row : table.rows())
    of[place_of(lines, of, text_of(row, places(table, rows), "\n"), {})].push_back(&row);
  Table result(std::move(columns));
  for (const auto& same : of) {
    std::vector<Cell> line;
    for (const std::size_t column : places(table, rows)) line.push_back((*same.front())[column]);
    for (const std::size_t column : places(table, values)) {
      double sum = 0;
      for (const std::vector<Cell>* row : same) sum += number((*row)[column]);
      line.emplace_back(sum / static_cast<double>(same.size()));
    }
    result.add(std::move(line));
  }
  return result;
}

LineChart line_chart(const Table& table, const LineView& view) {
  const std::size_t x = table.column(view.x), y = table.column(view.y);
  const auto value = [&](const std::vector<Cell>& row, const std::string& column) {
    return column.empty() ? std::string() : row[table.column(column)].text();
  };
  LineChart chart;
  std::vector<std::string> panels;
  std::vector<std::vector<std::string>> lines, ticks;
  for (const std::vector<Cell>& row : table.rows()) {
    const std::string name = value(row, view.panels);
    const std::size_t p = place_of(
        panels, chart.panels, name,
        LineChart::Panel{
            axis(table.columns()[x]) + (name.empty() ? "" : ", " + name), axis(table.columns()[y]), {}, view.doubling});
    lines.resize(panels.size());
    ticks.resize(panels.size());
    LineChart::Panel& panel = chart.panels[p];
    const std::string line = text_of(row, places(table, view.lines), ", ");
    const std::size_t l = place_of(lines[p], panel.lines, line, LineChart::Line{line, {}});
    const std::string tick = row[x].text();
    const double at =
        row[x].is_number()
            ? number(row[x])
            : static_cast<double>(place_of(ticks[p], panel.ticks, tick, {static_cast<double>(ticks[p].size()), tick}));
    panel.lines[l].points.emplace_back(at, number(row[y]));
  }
  for (LineChart::Panel& panel : chart.panels) {
    for (LineChart::Line& line : panel.lines) std::sort(line.points.begin(), line.points.end());
  }
  return chart;
}

BarChart bar_chart(const Table& table, const std::string& y_axis, const std::vector<std::string>& group,
                   const std::vector<std::string>& bars, double cut) {
  BarChart chart{cut > 0 ? y_axis + ", cut off at " + Cell(cut).text() : y_axis, {}, {}};
  const std::vector<std::size_t> columns = places(table, bars);
  for (const std::size_t column : columns) {
    const TableColumn& bar = table.columns()[column];
    chart.series.push_back({bar.title.empty() ? bar.name : bar.title, ""});
  }
  for (const std::vector<Cell>& row : table.rows()) {
    BarChart::Group& bar = chart.groups.emplace_back(BarChart::Group{text_of(row, places(table, group), ", "), {}});
    for (const std::size_t column : columns)
      bar.values.push_back(cut > 0 ? std::min(cut, number(row[column])) : number(row[column]));
  }
  return chart;
}

}  // namespace gputlm
