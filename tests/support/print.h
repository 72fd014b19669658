/// Text by C's printf, which most tools use, so that a writer can have the tool's formats.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace gputlm::written {

[[gnu::format(printf, 1, 2)]] inline std::string print(const char* format, ...) {
  std::va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, values)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(values);
  return text;
}

}  // namespace gputlm::written
