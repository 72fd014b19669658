/// Fields of CSV files.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Appends a field, quoted if CSV requires it (RFC 4180): kernels of a trace may have C++ signatures as names.
inline void write_csv_field(fmt::memory_buffer& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line.append(text);
    return;
  }
  line.push_back('"');
  for (const char c : text) {
    if (c == '"') line.push_back('"');
    line.push_back(c);
  }
  line.push_back('"');
}

// Reads CSV files line by line (RFC 4180).

/// Iterates over the lines of a text and skips empty ones. Fields are views of the text, or of the reader until the next
/// line. All exceptions are InputErrors with the line.
class CsvReader {
 public:
  enum class Comments { kNone, kHash };  ///< whether # begins a comment line

  /// `path` stands for the file in errors. Throws if there is no header.
  CsvReader(std::string path, std::string_view text, Comments comments = Comments::kNone);

  const std::vector<std::string>& header() const { return header_; }
  /// Index of a column. Throws if there is none of that name.
  std::size_t column(std::string_view name) const;
  bool has(std::string_view name) const;

  /// Reads the next line; false at the end. Throws if it has more or fewer fields than the header.
  bool next();
  std::string_view field(std::size_t column) const { return fields_[column]; }
  /// Throws unless it is a whole number.
  std::uint64_t number(std::size_t column) const;
  /// The same for a number that may be negative.
  std::int64_t integer(std::size_t column) const;
  /// Throws unless it is a finite number.
  double real(std::size_t column) const;
  /// Throws unless it is a number above 0.
  double quantity(std::size_t column) const;

  /// Rejects the contents of a line. Throws InputError with the line.
  [[noreturn]] void fail(const std::string& what) const;

  /// Comments so far, without their #.
  const std::vector<std::string>& comments() const { return noted_; }

 private:
  [[noreturn]] void refuse(std::size_t column, const char* allowed) const;
  bool skip_line();
  bool read();
  void read_quoted();

  std::string path_;
  std::string_view rest_;
  Comments comments_;
  std::size_t line_ = 0, lines_ = 1;  ///< numbers of the lines at which this row and the next one start
  std::size_t header_line_ = 0;
  std::vector<std::string> header_, noted_;
  std::vector<std::string_view> fields_;
  std::deque<std::string> unquoted_;  ///< unquoted fields of this line
};

}  // namespace gputlm
