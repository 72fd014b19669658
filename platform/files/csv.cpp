#include "platform/files/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "tlm/base/error.h"
#include "tlm/base/numbers.h"
#include "tlm/base/text.h"

namespace gputlm {

CsvReader::CsvReader(std::string path, std::string_view text, Comments comments)
    : path_(std::move(path)), rest_(text), comments_(comments) {
  if (!read()) throw InputError(path_, 0, "is empty; required: a line with the names of its columns");
  header_.assign(fields_.begin(), fields_.end());
  header_line_ = line_;
}

bool CsvReader::has(std::string_view name) const {
  return std::find(header_.begin(), header_.end(), name) != header_.end();
}

std::size_t CsvReader::column(std::string_view name) const {
  const auto at = std::find(header_.begin(), header_.end(), name);
  if (at == header_.end())
    throw InputError(path_, header_line_,
                     fmt::format("has no column '{}', allowed: {}", name, fmt::join(header_, ", ")));
  return static_cast<std::size_t>(at - header_.begin());
}

bool CsvReader::next() {
  if (!read()) return false;
  if (fields_.size() != header_.size())
    fail(fmt::format("found {} fields, allowed: {}, as in the header", fields_.size(), header_.size()));
  return true;
}

std::uint64_t CsvReader::number(std::size_t column) const {
  if (const auto value = parse_number<std::uint64_t>(field(column))) return *value;
  refuse(column, "a whole number from 0 on");
}

std::int64_t CsvReader::integer(std::size_t column) const {
  if (const auto value = parse_number<std::int64_t>(field(column))) return *value;
  refuse(column, "a whole number");
}

double CsvReader::real(std::size_t column) const {
  if (const auto value = parse_number<double>(field(column)); value && std::isfinite(*value)) return *value;
  refuse(column, "a number");
}

double CsvReader::quantity(std::size_t column) const {
  if (const auto value = parse_number<double>(field(column)); value && *value > 0 && std::isfinite(*value))
    return *value;
  refuse(column, "a number above 0");
}

void CsvReader::refuse(std::size_t column, const char* allowed) const {
  fail(fmt::format("{}: found '{}', allowed: {}", header_[column], shortened(std::string(field(column))), allowed));
}

/// Skips an empty line or a comment.
bool CsvReader::skip_line() {
  const bool comment = comments_ == Comments::kHash && starts_with(rest_, "#");
  if (!comment && !starts_with(rest_, "\n") && !starts_with(rest_, "\r\n")) return false;
  const std::size_t end = std::min(rest_.find('\n'), rest_.size());
  if (comment) noted_.emplace_back(rest_.substr(1, end - 1 - (rest_[end - 1] == '\r')));
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  ++lines_;
  return true;
}

bool CsvReader::read() {
  fields_.clear();
  unquoted_.clear();
  while (!rest_.empty() && skip_line()) {
  }
  line_ = lines_++;
  if (rest_.empty()) return false;
  for (;;) {
    if (starts_with(rest_, "\"")) {
      read_quoted();
    } else {
      std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
      if (end > 0 && rest_[end - 1] == '\r' && rest_.substr(end, 1) != ",") --end;
      fields_.push_back(rest_.substr(0, end));
      rest_.remove_prefix(end);
    }
    if (starts_with(rest_, "\r")) rest_.remove_prefix(1);
    if (rest_.empty()) return true;
    const char after = rest_.front();
    rest_.remove_prefix(1);
    if (after == '\n') return true;
    if (after != ',') fail("has text behind a quoted field");
  }
}

void CsvReader::read_quoted() {
  std::string& field = unquoted_.emplace_back();
  rest_.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest_.find('"');
    if (quote == std::string_view::npos) fail("has a quoted field without an end");
    field.append(rest_.substr(0, quote));
    rest_.remove_prefix(quote + 1);
    if (!starts_with(rest_, "\"")) break;
    field.push_back('"');
    rest_.remove_prefix(1);
  }
  lines_ += static_cast<std::size_t>(std::count(field.begin(), field.end(), '\n'));
  fields_.push_back(field);
}

void CsvReader::fail(const std::string& what) const { throw InputError(path_, line_, what); }

}  // namespace gputlm
