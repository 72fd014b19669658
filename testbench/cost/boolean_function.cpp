#include "testbench/cost/boolean_function.h"

#include <algorithm>
#include <cctype>

namespace gputlm::cost {
namespace {

using Table = std::vector<bool>;

/// A recursive-descent parser; every function sets `failed_` if the text is invalid.
class Parser {
 public:
  Parser(const std::string& text, const std::vector<std::string>& inputs)
      : text_(text), inputs_(inputs), rows_(std::size_t{1} << inputs.size()) {}

  std::optional<Table> parse() {
    Table table = any();
    skip_blanks();
    if (failed_ || at_ != text_.size()) return std::nullopt;
    return table;
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(const std::string& characters) {
    if (const char c = next(); c == '\0' || characters.find(c) == std::string::npos) return false;
    ++at_;
    return true;
  }
  static bool in_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '[' || c == ']';
  }

  Table any() {
    Table table = all();
    while (accept("|+")) {
      const Table other = all();
      for (std::size_t i = 0; i < rows_; ++i) table[i] = table[i] || other[i];
    }
    return table;
  }
  Table all() {
    Table table = odd();
    const auto more = [&] { return accept("&*") || next() == '(' || next() == '!' || in_name(next()); };
    while (!failed_ && more()) {
      const Table other = odd();
      for (std::size_t i = 0; i < rows_; ++i) table[i] = table[i] && other[i];
    }
    return table;
  }
  Table odd() {
    Table table = inverted();
    while (accept("^")) {
      const Table other = inverted();
      for (std::size_t i = 0; i < rows_; ++i) table[i] = table[i] != other[i];
    }
    return table;
  }
  Table inverted() {
    if (accept("!")) return flipped(inverted());
    Table table = primary();
    while (accept("'")) table = flipped(std::move(table));
    return table;
  }
  Table primary() {
    if (accept("(")) {
      Table table = any();
      if (!accept(")")) failed_ = true;
      return table;
    }
    std::string name;
    for (skip_blanks(); at_ < text_.size() && in_name(text_[at_]); ++at_) name += text_[at_];
    if (name == "0" || name == "1") return Table(rows_, name == "1");
    const auto input = std::find(inputs_.begin(), inputs_.end(), name);
    if (input == inputs_.end()) failed_ = true;
    Table table(rows_);
    if (failed_) return table;
    const auto bit = static_cast<std::size_t>(input - inputs_.begin());
    for (std::size_t i = 0; i < rows_; ++i) table[i] = (i >> bit & 1) != 0;
    return table;
  }
  static Table flipped(Table table) {
    table.flip();
    return table;
  }

  const std::string& text_;
  const std::vector<std::string>& inputs_;
  std::size_t rows_, at_ = 0;
  bool failed_ = false;
};

}  // namespace

std::optional<std::vector<bool>> truth_table(const std::string& expression, const std::vector<std::string>& inputs) {
  if (inputs.size() > 8) return std::nullopt;
  return Parser(expression, inputs).parse();
}

}  // namespace gputlm::cost
