/// Rows that the program writes and may read again. A row is a record (tlm/base/record.h) whose fields are members, member
/// functions or any functions of it, in the form Value, with their meanings. CSV, JSON, cells of a Table and the reference
/// page are generated from the description. Writing a line of CSV allocates nothing: there may be 10^8 lines.
///
///   struct CopyRow {
///     const CopyRecord& record;
///     template <class Visitor>
///     static void describe(Visitor& v) {
///       v.field([](const CopyRow& r) { return r.record.ended; }, "end_cycle", Value{"core cycles"}, "Its last byte was written");
///     }
///   };
///
/// An empty std::optional is an empty field in CSV and is absent from JSON. A record() is a nested object in JSON; elsewhere
/// its name and a dot prefix its fields.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "platform/files/csv.h"
#include "platform/files/table.h"
#include "tlm/base/record.h"
#include "tlm/base/registry.h"

namespace gputlm {

/// A number with exactly three decimals.
struct Thousandths {
  std::uint64_t value = 0;
};

namespace rows_detail {

template <class T>
struct Plain {
  using Type = T;
};
template <class T>
struct Plain<std::optional<T>> {
  using Type = T;
};
/// The type of the field `Of` of a row, without std::optional.
template <class Of, class Row>
using Given = typename Plain<std::decay_t<std::invoke_result_t<Of, const Row&>>>::Type;

template <class T>
constexpr bool kIsText = std::is_convertible_v<T, std::string_view> || std::is_same_v<T, std::array<std::uint32_t, 3>>;

template <class Row>
struct Columns {
  std::vector<TableColumn>& columns;
  std::string prefix = {};
  template <class Of>
  void field(Of, const char* name, Value form, const char* meaning) {
    columns.push_back({prefix + name, form.unit, meaning, "", -1, {}, kIsText<Given<Of, Row>>});
  }
  template <class Of>
  void part(Of) {
    Columns<Given<Of, Row>> part{columns, prefix};
    Given<Of, Row>::describe(part);
  }
  template <class Of>
  void record(Of, const char* name, const char*) {
    Columns<Given<Of, Row>> part{columns, prefix + name + "."};
    Given<Of, Row>::describe(part);
  }
};

template <class T>
void write_value(fmt::memory_buffer& line, const T& value) {
  if constexpr (std::is_convertible_v<T, std::string_view>) {
    write_csv_field(line, value);
  } else if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    const fmt::format_int digits(value);
    line.append(digits.data(), digits.data() + digits.size());
  } else {
    fmt::format_to(std::back_inserter(line), "{}", value);
  }
}
inline void write_value(fmt::memory_buffer& line, Thousandths number) {
  fmt::format_to(std::back_inserter(line), "{}.{:03}", number.value / 1000, number.value % 1000);
}
inline void write_value(fmt::memory_buffer& line, const std::array<std::uint32_t, 3>& extent) {
  fmt::format_to(std::back_inserter(line), "{}x{}x{}", extent[0], extent[1], extent[2]);
}
template <class T>
void write_value(fmt::memory_buffer& line, const std::optional<T>& value) {
  if (value) write_value(line, *value);
}

template <class T>
nlohmann::ordered_json json_value(const T& value) {
  return value;
}
inline nlohmann::ordered_json json_value(Thousandths number) { return static_cast<double>(number.value) / 1000; }

template <class T, class Function>
void if_given(const T& value, Function function) {
  function(value);
}
template <class T, class Function>
void if_given(const std::optional<T>& value, Function function) {
  if (value) function(*value);
}

template <class Row>
struct ToJson {
  const Row& row;
  nlohmann::ordered_json& json;
  template <class Of, class... Text>
  void field(Of of, const char* name, Text...) {
    if_given(std::invoke(of, row), [&](const auto& value) { json[name] = json_value(value); });
  }
  template <class Of>
  void part(Of of) {
    const auto& part = std::invoke(of, row);
    ToJson<std::decay_t<decltype(part)>> to{part, json};
    std::decay_t<decltype(part)>::describe(to);
  }
  template <class Of>
  void record(Of of, const char* name, const char*) {
    if_given(std::invoke(of, row), [&](const auto& part) {
      nlohmann::ordered_json& object = json[name] = nlohmann::ordered_json::object();
      ToJson<Given<Of, Row>> to{part, object};
      Given<Of, Row>::describe(to);
    });
  }
};

template <class Row, class Function>
struct Values {
  const Row& row;
  Function& function;
  template <class Of, class... Text>
  void field(Of of, Text...) {
    function(std::invoke(of, row));
  }
  template <class Of>
  void part(Of of) {
    const auto& part = std::invoke(of, row);
    Values<std::decay_t<decltype(part)>, Function> values{part, function};
    std::decay_t<decltype(part)>::describe(values);
  }
};

/// Finds the columns of the fields, then reads their values line by line.
template <class Row>
struct FromCsv {
  const CsvReader& csv;
  std::vector<std::size_t> columns = {};
  Row* row = nullptr;  ///< null while the columns are looked up
  std::size_t next = 0;
  template <class T>
  void field(T Row::*member, const char* name, Value, const char*) {
    if (!row) {
      columns.push_back(csv.column(name));
    } else if constexpr (std::is_integral_v<T>) {
      row->*member = static_cast<T>(csv.number(columns[next]));
    } else if constexpr (std::is_same_v<T, std::string_view>) {
      row->*member = csv.field(columns[next]);
    }
    ++next;
  }
};

}  // namespace rows_detail

template <class Row>
std::vector<TableColumn> row_columns() {
  std::vector<TableColumn> columns;
  rows_detail::Columns<Row> visitor{columns};
  Row::describe(visitor);
  return columns;
}

/// Calls `function` with the value of each field.
template <class Row, class Function>
void for_each_value(const Row& row, Function function) {
  rows_detail::Values<Row, Function> visitor{row, function};
  Row::describe(visitor);
}

template <class Row>
std::vector<Cell> row_cells(const Row& row) {
  std::vector<Cell> cells;
  for_each_value(row, [&](const auto& value) { cells.emplace_back(value); });
  return cells;
}

template <class Row>
nlohmann::ordered_json row_json(const Row& row) {
  auto json = nlohmann::ordered_json::object();
  rows_detail::ToJson<Row> visitor{row, json};
  Row::describe(visitor);
  return json;
}

/// The header line of a CSV file of such rows.
template <class Row>
std::string csv_header() {
  std::string line;
  for (const TableColumn& column : row_columns<Row>()) line += (line.empty() ? "" : ",") + column.name;
  return line + "\n";
}

/// Appends a line.
template <class Row>
void write_csv_row(fmt::memory_buffer& line, const Row& row) {
  for_each_value(row, [&](const auto& value) {
    rows_detail::write_value(line, value);
    line.push_back(',');
  });
  line[line.size() - 1] = '\n';  // instead of the last comma
}

/// Reads lines written by write_csv_row() for a row whose fields are members. Calls `read` with each; its texts are valid
/// until the next one. `path` stands for the file in errors. Throws InputError with the line.
template <class Row, class Function>
void for_each_row(const std::string& path, std::string_view text, Function read) {
  CsvReader csv(path, text);
  rows_detail::FromCsv<Row> visitor{csv};
  Row::describe(visitor);
  for (Row row; csv.next(); read(row)) {
    visitor.row = &row;
    visitor.next = 0;
    Row::describe(visitor);
  }
}

/// Rows of one kind in a result file, for the reference page. `name`: of the file or part: "result.json, streams".
struct RowTable : Registered {
  std::string description;
  std::vector<TableColumn> columns;
};
Registry<RowTable>& row_tables();

template <class Row>
void add_row_table(const std::string& name, const std::string& description) {
  row_tables().add({{name}, description, row_columns<Row>()});
}

}  // namespace gputlm
