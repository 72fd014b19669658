/// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
#pragma once

#include <cstddef>
#include <string_view>

namespace gputlm {

/// Whether the byte is a continuation byte.
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

/// Position of the first byte that begins no valid character; text.size() if all is UTF-8.
std::size_t find_invalid_utf8(std::string_view text);

/// Position of the first control character (C0, DEL, C1), which could affect a terminal or break a table's line;
/// text.size() if there is none. Expects UTF-8.
std::size_t find_control_character(std::string_view text);

/// Whether the text is UTF-8 without control characters, as required in results and messages.
inline bool is_plain_text(std::string_view text) {
  return find_invalid_utf8(text) == text.size() && find_control_character(text) == text.size();
}

}  // namespace gputlm
