#include "tlm/base/utf8.h"

namespace gputlm {
namespace {

unsigned byte_at(std::string_view text, std::size_t at) { return static_cast<unsigned char>(text[at]); }

/// Length of the character that begins at `at`; 0 if no character begins there. RFC 3629, section 4.
std::size_t character_bytes(std::string_view text, std::size_t at) {
  const unsigned first = byte_at(text, at);
  if (first < 0x80) return 1;
  const std::size_t bytes = first >= 0xc2 && first <= 0xdf   ? 2
                            : (first & 0xf0) == 0xe0         ? 3
                            : first >= 0xf0 && first <= 0xf4 ? 4
                                                             : 0;
  if (bytes == 0 || text.size() - at < bytes) return 0;
  for (std::size_t i = 1; i < bytes; ++i) {
    if (!continues_utf8(text[at + i])) return 0;
  }
  const unsigned second = byte_at(text, at + 1);
  const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0, beyond = first == 0xf4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : bytes;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t bytes = character_bytes(text, at);
    if (bytes == 0) break;
    at += bytes;
  }
  return at;
}

std::size_t find_control_character(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    const unsigned byte = byte_at(text, at);
    const bool c1 = byte == 0xc2 && at + 1 < text.size() && byte_at(text, at + 1) < 0xa0;
    if (byte < 0x20 || byte == 0x7f || c1) return at;
  }
  return text.size();
}

}  // namespace gputlm
