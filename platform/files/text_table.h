/// Tables and paragraphs on the terminal and in documents.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gputlm {

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

}  // namespace gputlm
