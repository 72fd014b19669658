/// A table that the program writes. Its columns are described once; text, CSV, Markdown and JSON have the same columns, names
/// and units.
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

#include "tlm/base/field.h"

namespace gputlm {

// Tables and paragraphs for the terminal and for documents.

/// Maximum width of printed text, on a terminal as in a file, so that both get the same bytes.
inline constexpr std::size_t kTextWidth = 100;

using TableRow = std::vector<std::string>;

struct Column {
  enum class Form {
    kKey,     ///< whole, because users copy it; if it is long, the rest of its row begins a new line
    kName,    ///< a user's name of any length: its middle is left out if there is no room
    kText,    ///< words, wrapped over several lines
    kNumber,  ///< right-aligned and whole
  };
  std::string title;
  Form form = Form::kText;
};

/// Columns are two spaces apart; lines have no trailing spaces. No line is longer than kTextWidth unless keys, numbers or
/// single words force it.
std::string table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);
/// The same in Markdown.
std::string markdown_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);
/// The same as a LaTeX tabular with the rules of the package booktabs. "+-" becomes a plus-minus sign.
std::string latex_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows);

/// Names and their meanings, indented and aligned; for --help.
std::string definitions(const std::vector<std::pair<std::string, std::string>>& entries);

/// Number of UTF-8 characters, which is the width.
std::size_t text_width(std::string_view text);
/// Breaks `text` at spaces into lines of at most `width`; these spaces are dropped. A longer word stays whole.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
/// `text` padded with spaces to `width`.
std::string padded(const std::string& text, std::size_t width);
/// `text` with its middle left out if it is wider than `width`: "void cut...#2".
std::string abridged(const std::string& text, std::size_t width);

/// A column of a table. Its name, in CSV, JSON and SQL, is in lower case, with the unit as a suffix if several are plausible.
struct TableColumn : Field {
  // NOLINTNEXTLINE(google-explicit-constructor)
  TableColumn(std::string in_files, std::string in_unit = {}, std::string what = {}, std::string in_text = {},
              int decimals = -1, std::optional<Column::Form> as = {}, bool texts = false)
      : Field{std::move(in_files), std::move(in_unit), std::move(what)}, title(std::move(in_text)), digits(decimals),
        form(as), is_text(texts) {}
  std::string title;                 ///< title in text and Markdown; empty: the name
  int digits;                        ///< decimals of real numbers; -1: as few as represent them exactly
  std::optional<Column::Form> form;  ///< form in text and Markdown; none: numbers or words, depending on the cells
  bool is_text;                      ///< for rows (rows.h): whether values are texts, even those that look like numbers
};

/// A value, which may be empty.
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
  /// `digits`: as for a column.
  std::string text(int digits = -1) const;
  nlohmann::ordered_json json(int digits = -1) const;

 private:
  std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string> value_;
};

class Table {
 public:
  explicit Table(std::vector<TableColumn> columns) : columns_(std::move(columns)) {}

  void add(std::vector<Cell> row);  ///< one cell per column

  const std::vector<TableColumn>& columns() const { return columns_; }
  const std::vector<std::vector<Cell>>& rows() const { return rows_; }
  /// Index of the column of this name. Throws std::logic_error if there is none.
  std::size_t column(const std::string& name) const;

  std::string text() const;             ///< for a terminal
  std::string markdown() const;         ///< for a document
  std::string latex() const;            ///< for a paper (package booktabs)
  std::string csv() const;              ///< with a header line (RFC 4180)
  nlohmann::ordered_json json() const;  ///< a list of objects without the empty cells

 private:
  std::vector<TableColumn> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace gputlm
