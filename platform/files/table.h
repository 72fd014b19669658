/// A table that leaves the program: its columns are described once, and text, CSV, Markdown and JSON are made of the same
/// columns with the same names and units.
///
///   Table table({{"kernel", "", "Its name"}, {"time_ms", "ms", "From first block to last", "time", 3}});
///   table.add({"saxpy", 0.25});
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace gputlm {

// Tables and paragraphs on the terminal and in documents.

/// What the program prints is no wider than this, wherever it goes: the same bytes on a terminal and in a file.
inline constexpr std::size_t kTextWidth = 100;

using TableRow = std::vector<std::string>;

struct Column {
  enum class Form {
    kKey,     ///< whole, because users copy it; where it is long the rest of its row begins a line of its own
    kName,    ///< of somebody's own, of any length: its middle is left out where there is no room for it
    kText,    ///< words, in as many lines as they take
    kNumber,  ///< to the right, and whole
  };
  std::string title;
  Form form = Form::kText;
};

/// Columns two spaces apart, no line with spaces at its end, and none longer than kTextWidth unless keys, numbers and
/// single words leave no other way.
std::string table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);
/// The same for a document.
std::string markdown_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);
/// The same for a paper: a tabular of LaTeX with the rules of its package booktabs. "+-" becomes a sign.
std::string latex_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);

/// Names and what they mean, indented, the meanings below each other; for --help.
std::string definitions(const std::vector<std::pair<std::string, std::string>>& entries);

/// Characters of UTF-8 text: how wide it is.
std::size_t text_width(std::string_view text);
/// `text` in lines of at most `width`, broken at spaces, which are left out there. A word that is longer stays whole.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
/// `text` with spaces behind it up to `width`.
std::string padded(const std::string& text, std::size_t width);
/// `text` without its middle if it is wider than `width`: "void cut...#2".
std::string abridged(const std::string& text, std::size_t width);

/// A column of a table.
struct TableColumn {
  std::string name;       ///< in CSV and JSON, for SQL: lower case, with the unit behind it where several are thinkable
  std::string unit = {};  ///< "core cycles"; empty: none
  std::string meaning = {};
  std::string title = {};                 ///< in text and Markdown; empty: the name
  int digits = -1;                        ///< of real numbers, behind the point; -1: as few as say it exactly
  std::optional<Column::Form> form = {};  ///< in text and Markdown; none: that of numbers, or else of words
};

/// A value. A row that has none in a column has an empty field there.
class Cell {
 public:
  Cell() = default;
  Cell(bool value) : value_(value) {}                         // NOLINT(google-explicit-constructor)
  Cell(double value) : value_(value) {}                       // NOLINT(google-explicit-constructor)
  Cell(const char* text) : value_(std::string(text)) {}       // NOLINT(google-explicit-constructor)
  Cell(std::string text) : value_(std::move(text)) {}         // NOLINT(google-explicit-constructor)
  Cell(std::string_view text) : value_(std::string(text)) {}  // NOLINT(google-explicit-constructor)
  template <class Integer, class = std::enable_if_t<std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>>>
  Cell(Integer value) {  // NOLINT(google-explicit-constructor)
    if constexpr (std::is_signed_v<Integer>)
      value_ = static_cast<std::int64_t>(value);
    else
      value_ = static_cast<std::uint64_t>(value);
  }
  template <class T>
  Cell(const std::optional<T>& value) {  // NOLINT(google-explicit-constructor)
    if (value) *this = Cell(*value);
  }

  bool empty() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_number() const { return number().has_value(); }
  std::optional<double> number() const;
  /// `digits` as of a column.
  std::string text(int digits = -1) const;
  nlohmann::ordered_json json(int digits = -1) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string> value_;
};

class Table {
 public:
  explicit Table(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row);  ///< as many cells as columns

  const std::vector<TableColumn>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  /// Place of the column of this name. Throws std::logic_error if there is none.
  std::size_t column(const std::string& name) const;

  std::string text() const;             ///< for a terminal
  std::string markdown() const;         ///< for a document
  std::string latex() const;            ///< for a paper (package booktabs)
  std::string csv() const;              ///< with a head line (RFC 4180)
  nlohmann::ordered_json json() const;  ///< a list of objects; what is empty is left out

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<Cell>> rows_;
};

/// A column of rows that are made one by one, as a run goes: how a Row has its value.
template <class Row>
struct ColumnOf : TableColumn {
  std::function<Cell(const Row&)> of;
};

}  // namespace gputlm
