#include "platform/lab/metrics.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gputlm {
namespace {

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

// Only double: long double differs between machines.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

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

/// Index of the entry of this name; a new one is made from `entry`.
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

double ratio(double part, double whole) { return whole != 0 ? part / whole : 0; }

double mean(const std::vector<double>& values) { return sum(values) / static_cast<double>(values.size()); }

double geometric_mean(const std::vector<double>& values) {
  double logarithms = 0;
  for (const double value : values) logarithms += std::log(value);
  return std::exp(logarithms / static_cast<double>(values.size()));
}

double relative_speed(double ipc_shared, double ipc_alone) { return ipc_shared / ipc_alone; }
double weighted_speedup(const std::vector<double>& relative_speeds) { return sum(relative_speeds); }
double instruction_throughput(const std::vector<double>& ipcs) { return sum(ipcs); }

double fairness_index(const std::vector<double>& relative_speeds) {
  const auto [least, most] = std::minmax_element(relative_speeds.begin(), relative_speeds.end());
  return *most / *least;
}

double slowdown(double time_shared, double time_alone) { return time_shared / time_alone; }

double stp(const std::vector<double>& slowdowns) {
  double total = 0;
  for (const double slowdown : slowdowns) total += 1 / slowdown;
  return total;
}

double antt(const std::vector<double>& slowdowns) { return mean(slowdowns); }

double strictf(const std::vector<double>& slowdowns) {
  const auto [least, most] = std::minmax_element(slowdowns.begin(), slowdowns.end());
  return *least / *most;
}

double jain_index(const std::vector<double>& shares) {
  const double squares = std::inner_product(shares.begin(), shares.end(), shares.begin(), 0.0);
  return sum(shares) * sum(shares) / (static_cast<double>(shares.size()) * squares);
}

Estimate estimate(const std::vector<double>& values) {
  Estimate e;
  e.count = values.size();
  e.mean = mean(values);
  if (e.count < 2) return e;
  double squares = 0;
  for (const double value : values) squares += (value - e.mean) * (value - e.mean);
  const auto n = static_cast<double>(e.count);
  e.deviation = std::sqrt(squares / (n - 1));
  const boost::math::students_t_distribution<double, InDouble> distribution(n - 1);
  e.half_width = boost::math::quantile(distribution, (1 + kConfidence) / 2) * *e.deviation / std::sqrt(n);
  return e;
}

ShareInterval wilson(std::uint64_t times, std::uint64_t of) {
  const double z = boost::math::quantile(boost::math::normal_distribution<double, InDouble>(), (1 + kConfidence) / 2);
  const auto n = static_cast<double>(of);
  const double p = static_cast<double>(times) / n, centre = p + z * z / (2 * n);
  const double half = z * std::sqrt(p * (1 - p) / n + z * z / (4 * n * n)), whole = 1 + z * z / n;
  return {std::max(0.0, (centre - half) / whole), std::min(1.0, (centre + half) / whole)};
}

void RelativeErrors::add(std::string what, double right, double model) {
  const double error = right != 0 ? 100 * (model / right - 1) : 0;
  signed_ += error;
  errors_.push_back({right == 0 && model != 0 ? 100 : std::abs(error), std::move(what), right, model});
}

double RelativeErrors::mean() const {
  double sum = 0;
  for (const Error& error : errors_) sum += error.percent;
  return sum / static_cast<double>(errors_.size());
}

double RelativeErrors::quantile(double share) const {
  std::vector<double> sorted;
  for (const Error& error : errors_) sorted.push_back(error.percent);
  std::sort(sorted.begin(), sorted.end());
  return sorted[static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size()))) - 1];
}

double RelativeErrors::bias() const { return signed_ / static_cast<double>(errors_.size()); }

Table RelativeErrors::summary() {
  return Table({{"of", "", "What was compared"},
                {"count", "", "Values"},
                {"mean", "%", "Mean of the errors' sizes", "", 1},
                {"bias", "%", "Mean of the signed errors", "", 1},
                {"median", "%", "", "", 1},
                {"percentile_95", "%", "", "95th", 1},
                {"worst", "%", "", "", 1},
                {"which", "", "The value with the worst error"}});
}

Table RelativeErrors::details() {
  return Table({{"of", "", "What was compared"},
                {"what", "", "Which value"},
                {"right", "", "The value that is right"},
                {"model", "", "The model's"},
                {"error_percent", "%", "Size of the error", "", 2}});
}

void RelativeErrors::add_to(Table& summary, Table& details, const std::string& name) const {
  const auto worst = std::max_element(errors_.begin(), errors_.end(),
                                      [](const Error& a, const Error& b) { return a.percent < b.percent; });
  summary.add({name, errors_.size(), mean(), bias(), quantile(0.5), quantile(0.95), worst->percent, worst->what});
  for (const Error& error : errors_) details.add({name, error.what, error.right, error.model, error.percent});
}

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
  std::vector<std::vector<const std::vector<Cell>*>> of;  // the lines that are merged into one
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
