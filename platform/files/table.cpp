#include "platform/files/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "platform/files/csv.h"
#include "tlm/numbers.h"

namespace gputlm {
namespace {

/// A real number that is written with a number of digits.
double rounded(double value, int digits) {
  return digits < 0 ? value : *parse_number<double>(fmt::format("{:.{}f}", value, digits));
}

std::vector<Column> layout(const Table& table) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < table.columns().size(); ++i) {
    const TableColumn& column = table.columns()[i];
    bool number = !table.rows().empty();
    for (const std::vector<Cell>& row : table.rows()) number = number && (row[i].empty() || row[i].is_number());
    const std::string& title = column.title.empty() ? column.name : column.title;
    const bool has_unit = column.unit.empty() || title.find(column.unit) != std::string::npos;
    columns.push_back({has_unit ? title : title + " [" + column.unit + "]",
                       column.form.value_or(number ? Column::Form::kNumber : Column::Form::kText)});
  }
  return columns;
}

std::vector<TableRow> texts(const Table& table) {
  std::vector<TableRow> rows;
  for (const std::vector<Cell>& row : table.rows()) {
    TableRow& texts = rows.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) texts.push_back(row[i].text(table.columns()[i].digits));
  }
  return rows;
}

}  // namespace

std::optional<double> Cell::number() const {
  return std::visit(
      [](const auto& value) -> std::optional<double> {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) return static_cast<double>(value);
        return std::nullopt;
      },
      value_);
}

std::string Cell::text(int digits) const {
  return std::visit(
      [&](const auto& value) -> std::string {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return "";
        } else if constexpr (std::is_same_v<T, double>) {
          return digits < 0 ? fmt::format("{}", value) : fmt::format("{:.{}f}", value, digits);
        } else {
          return fmt::format("{}", value);
        }
      },
      value_);
}

nlohmann::ordered_json Cell::json(int digits) const {
  return std::visit(
      [&](const auto& value) -> nlohmann::ordered_json {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::monostate>) {
          return nullptr;
        } else if constexpr (std::is_same_v<T, double>) {
          return rounded(value, digits);
        } else {
          return value;
        }
      },
      value_);
}

void Table::add(std::vector<Cell> row) {
  row.resize(columns_.size());
  rows_.push_back(std::move(row));
}

std::size_t Table::column(const std::string& name) const {
  const auto found =
      std::find_if(columns_.begin(), columns_.end(), [&](const TableColumn& column) { return column.name == name; });
  if (found == columns_.end()) throw std::logic_error("a table has no column '" + name + "'");
  return static_cast<std::size_t>(found - columns_.begin());
}

std::string Table::text() const { return table(layout(*this), texts(*this)); }

std::string Table::markdown() const { return markdown_table(layout(*this), texts(*this)); }

std::string Table::latex() const { return latex_table(layout(*this), texts(*this)); }

std::string Table::csv() const {
  fmt::memory_buffer text;
  const auto line = [&](const auto& fields) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (i > 0) text.push_back(',');
      write_csv_field(text, fields(i));
    }
    text.push_back('\n');
  };
  line([&](std::size_t i) { return columns_[i].name; });
  for (const std::vector<Cell>& row : rows_) line([&](std::size_t i) { return row[i].text(columns_[i].digits); });
  return fmt::to_string(text);
}

nlohmann::ordered_json Table::json() const {
  auto list = nlohmann::ordered_json::array();
  for (const std::vector<Cell>& row : rows_) {
    auto object = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!row[i].empty()) object[columns_[i].name] = row[i].json(columns_[i].digits);
    }
    list.push_back(std::move(object));
  }
  return list;
}

}  // namespace gputlm
