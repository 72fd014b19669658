/// Lines of CSV files that this program has written (RFC 4180).
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Goes through a text line by line. Fields are views of it, or of the reader until the next line.
class CsvReader {
 public:
  /// `path` is what errors name. Throws InputError if there is no header.
  CsvReader(std::string path, std::string_view text);

  const std::vector<std::string>& header() const { return header_; }
  /// Place of a column. Throws InputError if there is none of that name.
  std::size_t column(std::string_view name) const;
  bool has(std::string_view name) const;

  /// The next line; false at the end. Throws InputError if it has more or fewer fields than the header.
  bool next();
  std::string_view field(std::size_t column) const { return fields_[column]; }
  /// Throws InputError if it is no whole number.
  std::uint64_t number(std::size_t column) const;
  /// Likewise; it may be negative.
  std::int64_t integer(std::size_t column) const;

 private:
  template <class Number>
  Number parsed(std::size_t column) const;
  bool read();
  void read_quoted();
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_;
  std::string_view rest_;
  std::size_t line_ = 0;
  std::vector<std::string> header_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  ///< fields of this line that held doubled quotes
};

}  // namespace gputlm
