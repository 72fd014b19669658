/// Fields of CSV files.
#pragma once

#include <fmt/format.h>

#include <string_view>

namespace gputlm {

/// Appends a field, quoted where CSV needs it (RFC 4180): kernels of a trace may have C++ signatures as names.
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

}  // namespace gputlm
