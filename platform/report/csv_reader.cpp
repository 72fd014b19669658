#include "platform/report/csv_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "tlm/error.h"

namespace gputlm {

CsvReader::CsvReader(std::string path, std::string_view text) : path_(std::move(path)), rest_(text) {
  if (!read()) fail("has no header");
  header_.assign(fields_.begin(), fields_.end());
}

bool CsvReader::has(std::string_view name) const {
  return std::find(header_.begin(), header_.end(), name) != header_.end();
}

std::size_t CsvReader::column(std::string_view name) const {
  const auto at = std::find(header_.begin(), header_.end(), name);
  if (at == header_.end())
    throw InputError(path_, 1, fmt::format("has no column '{}', allowed: {}", name, fmt::join(header_, ", ")));
  return static_cast<std::size_t>(at - header_.begin());
}

bool CsvReader::next() {
  if (!read()) return false;
  if (fields_.size() != header_.size())
    fail(fmt::format("found {} fields, allowed: {}, as in the header", fields_.size(), header_.size()));
  return true;
}

std::uint64_t CsvReader::number(std::size_t column) const { return parsed<std::uint64_t>(column); }
std::int64_t CsvReader::integer(std::size_t column) const { return parsed<std::int64_t>(column); }

template <class Number>
Number CsvReader::parsed(std::size_t column) const {
  const std::string_view text = field(column);
  Number value = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || rest != text.data() + text.size())
    fail(fmt::format("{}: found '{}', allowed: a whole number", header_[column], shortened(std::string(text))));
  return value;
}

bool CsvReader::read() {
  fields_.clear();
  unquoted_.clear();
  ++line_;
  if (rest_.empty()) return false;
  for (;;) {
    if (!rest_.empty() && rest_.front() == '"') {
      read_quoted();
    } else {
      const std::size_t end = std::min(rest_.find_first_of(",\n"), rest_.size());
      fields_.push_back(rest_.substr(0, end));
      rest_.remove_prefix(end);
    }
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
    if (rest_.empty() || rest_.front() != '"') break;
    field.push_back('"');
    rest_.remove_prefix(1);
  }
  fields_.push_back(field);
}

void CsvReader::fail(const std::string& what) const { throw InputError(path_, line_, what); }

}  // namespace gputlm
