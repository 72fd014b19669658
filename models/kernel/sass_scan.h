/// Tokens of a SASS trace line: the hot path of the trace reader. Every function takes a cursor into a line that ends with
/// '\n', so it needs no bound, and leaves the cursor unchanged if it returns false.
#pragma once

#include <array>
#include <cstdint>

namespace gputlm::sass {

inline bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\n'; }

inline void skip_blanks(const char*& p) {
  while (*p == ' ' || *p == '\t') ++p;
}

inline const char* token_end(const char* p) {
  while (!is_separator(*p)) ++p;
  return p;
}

inline unsigned decimal_digit(char c) { return static_cast<unsigned>(static_cast<unsigned char>(c)) - '0'; }

inline constexpr std::uint8_t kNoDigit = 0xff;

constexpr std::array<std::uint8_t, 256> make_hex_digits() {
  std::array<std::uint8_t, 256> digits{};
  for (auto& digit : digits) digit = kNoDigit;
  for (std::uint8_t i = 0; i < 10; ++i) digits[static_cast<std::uint8_t>('0') + i] = i;
  for (std::uint8_t i = 0; i < 6; ++i) {
    digits[static_cast<std::uint8_t>('a') + i] = static_cast<std::uint8_t>(10 + i);
    digits[static_cast<std::uint8_t>('A') + i] = static_cast<std::uint8_t>(10 + i);
  }
  return digits;
}
inline constexpr std::array<std::uint8_t, 256> kHexDigits = make_hex_digits();

/// Digits up to the first other character; at most 19, so that the value fits.
inline bool scan_digits(const char*& p, std::uint64_t& value) {
  const char* q = p;
  unsigned digit = decimal_digit(*q);
  if (digit > 9) return false;
  std::uint64_t result = 0;
  do {
    result = result * 10 + digit;
    digit = decimal_digit(*++q);
  } while (digit <= 9);
  if (q - p > 19) return false;
  p = q;
  value = result;
  return true;
}

/// A whole token as an unsigned decimal number.
inline bool scan_decimal(const char*& p, std::uint64_t& value) {
  const char* q = p;
  skip_blanks(q);
  if (!scan_digits(q, value) || !is_separator(*q)) return false;
  p = q;
  return true;
}

/// A whole token as a decimal number with an optional sign, within 63 bits.
inline bool scan_signed(const char*& p, std::int64_t& value) {
  const char* q = p;
  skip_blanks(q);
  const bool negative = *q == '-';
  if (negative || *q == '+') ++q;
  std::uint64_t magnitude = 0;
  if (!scan_digits(q, magnitude) || !is_separator(*q) || magnitude > INT64_MAX) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  p = q;
  return true;
}

/// A whole token as a hexadecimal number, with or without 0x; at most 16 digits.
inline bool scan_hex(const char*& p, std::uint64_t& value) {
  const char* q = p;
  skip_blanks(q);
  if (q[0] == '0' && (q[1] == 'x' || q[1] == 'X')) q += 2;
  const char* const first = q;
  std::uint64_t result = 0;
  for (std::uint8_t digit = 0; (digit = kHexDigits[static_cast<unsigned char>(*q)]) != kNoDigit; ++q)
    result = (result << 4) | digit;
  if (q == first || q - first > 16 || !is_separator(*q)) return false;
  value = result;
  p = q;
  return true;
}

}  // namespace gputlm::sass
