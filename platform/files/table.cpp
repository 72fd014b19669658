#include "platform/files/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "platform/files/csv.h"
#include "platform/files/rows.h"
#include "tlm/base/numbers.h"
#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

/// A real number rounded to a number of decimals.
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

constexpr std::size_t kGap = 2;
constexpr std::size_t kWidestKey = 30;      // a longer one gets a line of its own
constexpr std::size_t kNarrowestName = 12;  // still readable

using Form = Column::Form;

std::size_t longest_word(const std::string& text) {
  std::size_t longest = 0;
  for (const std::string& word : wrapped(text, 0)) longest = std::max(longest, text_width(word));
  return longest;
}

/// Distributes the width of a table that is too wide among its texts and names.
class Widths {
 public:
  Widths(const std::vector<Column>& columns, const std::vector<TableRow>& rows) : columns_(columns), rows_(rows) {
    for (std::size_t i = 0; i < columns.size(); ++i) widths_.push_back(widest(i, text_width));
  }

  std::vector<std::size_t> fitted() && {
    if (total() <= kTextWidth) return widths_;
    if (columns_[0].form == Form::kKey && columns_.size() > 1) widths_[0] = std::min(widths_[0], kWidestKey);
    std::vector<std::size_t> shrinking;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i].form == Form::kText || columns_[i].form == Form::kName) shrinking.push_back(i);
    }
    // The narrowest column comes first: the others get the width that it does not need.
    std::stable_sort(shrinking.begin(), shrinking.end(),
                     [&](std::size_t a, std::size_t b) { return widths_[a] < widths_[b]; });
    std::size_t fixed = total();
    for (const std::size_t i : shrinking) fixed -= widths_[i];
    std::size_t room = kTextWidth > fixed ? kTextWidth - fixed : 0, needed = 0;  // for columns without a width yet
    for (const std::size_t i : shrinking) needed += least(i);
    for (std::size_t k = 0; k < shrinking.size(); ++k) {
      std::size_t& width = widths_[shrinking[k]];
      const std::size_t own = least(shrinking[k]);
      needed -= own;
      const std::size_t left = room > needed ? room - needed : 0;
      width = std::min(width, std::max(own, std::min(left, room / (shrinking.size() - k))));
      room -= std::min(room, width);
    }
    return widths_;
  }

 private:
  template <class Measure>
  std::size_t widest(std::size_t column, Measure measure) const {
    std::size_t width = measure(columns_[column].title);
    for (const TableRow& row : rows_) width = std::max(width, column < row.size() ? measure(row[column]) : 0);
    return width;
  }
  std::size_t least(std::size_t column) const {
    if (columns_[column].form == Form::kName) return kNarrowestName;
    return widest(column, longest_word) + (column == 0 ? kGap : 0);
  }
  std::size_t total() const { return std::accumulate(widths_.begin(), widths_.end(), kGap * (widths_.size() - 1)); }

  const std::vector<Column>& columns_;
  const std::vector<TableRow>& rows_;
  std::vector<std::size_t> widths_;
};

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + '\n';
}

/// Wraps text with indented continuation lines, so that the start of the next row is visible.
std::vector<std::string> hanging(const std::string& text, std::size_t width) {
  if (text_width(text) <= width) return {text};
  std::vector<std::string> lines = wrapped(text, width - std::min(width, kGap));
  for (std::size_t i = 1; i < lines.size(); ++i) lines[i].insert(0, kGap, ' ');
  return lines;
}

void append_row(std::string& text, const std::vector<Column>& columns, const std::vector<std::size_t>& widths,
                const TableRow& row) {
  std::vector<std::vector<std::string>> cells;
  std::size_t lines = 1;
  for (std::size_t i = 0; i < row.size(); ++i) {
    cells.push_back(columns[i].form == Form::kText   ? i == 0 ? hanging(row[i], widths[i]) : wrapped(row[i], widths[i])
                      : columns[i].form == Form::kName ? std::vector{abridged(row[i], widths[i])}
                                                     : std::vector{row[i]});
    lines = std::max(lines, cells.back().size());
  }
  if (columns[0].form == Form::kKey && text_width(row[0]) > widths[0]) {
    append_line(text, row[0]);
    cells[0] = {};
  }
  for (std::size_t n = 0; n < lines; ++n) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string cell = n < cells[i].size() ? cells[i][n] : "";
      const std::string spaces(widths[i] - std::min(widths[i], text_width(cell)), ' ');
      line +=
          (i > 0 ? std::string(kGap, ' ') : "") + (columns[i].form == Form::kNumber ? spaces + cell : cell + spaces);
    }
    append_line(text, line);
  }
}

TableRow titles(const std::vector<Column>& columns) {
  TableRow row;
  for (const Column& column : columns) row.push_back(column.title);
  return row;
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

std::string table(const std::vector<Column>& columns, const std::vector<TableRow>& rows) {
  const std::vector<std::size_t> widths = Widths(columns, rows).fitted();
  std::string text;
  append_row(text, columns, widths, titles(columns));
  for (const TableRow& row : rows) append_row(text, columns, widths, row);
  return text;
}

std::string markdown_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows) {
  const auto line = [](const TableRow& row) {
    std::string text = "|";
    for (const std::string& cell : row) {
      text += " ";
      for (const char c : cell) text += c == '|' ? "\\|" : std::string(1, c);
      text += " |";
    }
    return text + "\n";
  };
  std::string text = line(titles(columns)) + "|";
  for (const Column& column : columns) text += column.form == Form::kNumber ? "---:|" : "---|";
  text += "\n";
  for (const TableRow& row : rows) text += line(row);
  return text;
}

std::string latex_table(const std::vector<Column>& columns, const std::vector<TableRow>& rows) {
  const auto escaped = [](const std::string& text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if (text.compare(i, 2, "+-") == 0) {
        result += "$\\pm$";
        ++i;
      } else if (std::string_view("&%$#_{}").find(c) != std::string_view::npos) {
        result += std::string("\\") + c;
      } else if (c == '\\') {
        result += "\\textbackslash{}";
      } else if (c == '~' || c == '^') {
        result += std::string("\\") + c + "{}";
      } else if (c == '<' || c == '>') {
        result += std::string("$") + c + "$";
      } else {
        result += c;
      }
    }
    return result;
  };
  const auto line = [&](const auto& cells, const auto& text_of) {
    std::string text;
    for (std::size_t i = 0; i < columns.size(); ++i)
      text += (i > 0 ? " & " : "") + (i < cells.size() ? escaped(text_of(cells[i])) : "");
    return text + " \\\\\n";
  };
  std::string text = "\\begin{tabular}{";
  for (const Column& column : columns) text += column.form == Column::Form::kNumber ? 'r' : 'l';
  text += "}\n\\toprule\n" + line(columns, [](const Column& column) { return column.title; }) + "\\midrule\n";
  for (const TableRow& row : rows) text += line(row, [](const std::string& cell) { return cell; });
  return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string definitions(const std::vector<std::pair<std::string, std::string>>& entries) {
  constexpr std::size_t kIndent = 2, kWidest = 24;
  std::size_t width = 0;
  for (const auto& [name, meaning] : entries) width = std::max(width, std::min(text_width(name), kWidest));
  const std::size_t place = kIndent + width + kGap;
  std::string text;
  for (const auto& [name, meaning] : entries) {
    std::string line = std::string(kIndent, ' ') + name;
    if (text_width(line) + kGap > place) {
      append_line(text, line);
      line.clear();
    }
    for (const std::string& part : wrapped(meaning, kTextWidth - place)) {
      append_line(text, padded(line, place) + part);
      line.clear();
    }
  }
  return text;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continues_utf8(c); }));
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!lines.empty() && text_width(lines.back()) + 1 + text_width(word) <= width) {
      lines.back() += ' ';
      lines.back() += word;
    } else {
      lines.emplace_back(word);
    }
  }
  if (lines.empty()) lines.emplace_back();
  return lines;
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - std::min(width, text_width(text)), ' ');
}

std::string abridged(const std::string& text, std::size_t width) {
  constexpr std::string_view kMark = "...";
  if (text_width(text) <= width || width <= kMark.size()) return text;
  const std::size_t kept = width - kMark.size(), behind = kept / 2;
  // Byte position of the n-th character.
  const auto place = [&](std::size_t n) {
    std::size_t at = 0;
    for (; at < text.size(); ++at) {
      if (!continues_utf8(text[at]) && n-- == 0) break;
    }
    return at;
  };
  return text.substr(0, place(kept - behind)).append(kMark) + text.substr(place(text_width(text) - behind));
}

Registry<RowTable>& row_tables() {
  static Registry<RowTable> tables("table of results");
  return tables;
}

}  // namespace gputlm
