#include "platform/files/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace gputlm {
namespace {

constexpr int kDigitsOfMicrosecond = 9;  // decimals: one femtosecond
constexpr Femtoseconds kMicrosecond = 1'000'000'000;

std::string_view take_digits(std::string_view& text) {
  const std::string_view digits = text.substr(0, text.find_first_not_of("0123456789"));
  text.remove_prefix(digits.size());
  return digits;
}

}  // namespace

std::optional<std::uint64_t> parse_whole(std::string_view text) {
  if (text.substr(0, 2) != "0x" && text.substr(0, 2) != "0X") return parse_number<std::uint64_t>(text);
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + 2, end, value, 16);
  return error == std::errc() && rest == end ? std::optional(value) : std::nullopt;
}

std::optional<Bytes> parse_size(std::string_view text) {
  unsigned shift = 0;
  for (const auto& [unit, bits] : {std::pair<std::string_view, unsigned>{"KiB", 10}, {"MiB", 20}, {"GiB", 30}}) {
    if (text.size() <= unit.size() || text.substr(text.size() - unit.size()) != unit) continue;
    text.remove_suffix(unit.size());
    text.remove_suffix(text.size() - (text.find_last_not_of(' ') + 1));
    shift = bits;
    break;
  }
  const auto value = parse_whole(text);
  if (!value || *value > std::numeric_limits<Bytes>::max() >> shift) return std::nullopt;
  return *value << shift;
}

std::optional<Femtoseconds> parse_microseconds(std::string_view text) {
  std::string digits(take_digits(text));
  std::int64_t shift = kDigitsOfMicrosecond;  // the number is `digits` followed by this many zeros
  if (!text.empty() && text.front() == '.') {
    text.remove_prefix(1);
    const std::string_view behind = take_digits(text);
    digits += behind;
    shift -= static_cast<std::int64_t>(behind.size());
  }
  if (digits.empty()) return std::nullopt;
  if (!text.empty() && (text.front() == 'e' || text.front() == 'E')) {
    text.remove_prefix(1);
    if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
    const auto exponent = take_number<std::int32_t>(text);
    if (!exponent) return std::nullopt;
    shift += *exponent;
  }
  if (!text.empty()) return std::nullopt;
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return 0;
  bool up = false;
  if (shift < 0) {
    const auto dropped = static_cast<std::size_t>(-shift);
    if (dropped > digits.size()) return 0;
    up = digits[digits.size() - dropped] >= '5';
    digits.resize(digits.size() - dropped);
    if (digits.empty()) return up ? 1 : 0;
  } else {
    constexpr std::int64_t kMaxZeros = std::numeric_limits<Femtoseconds>::digits10;
    if (shift > kMaxZeros) return std::nullopt;
    digits.append(static_cast<std::size_t>(shift), '0');
  }
  const auto time = parse_number<Femtoseconds>(digits);
  if (!time || (up && *time == std::numeric_limits<Femtoseconds>::max())) return std::nullopt;
  return *time + (up ? 1 : 0);
}

std::string microseconds_text(Femtoseconds time) {
  std::string text = fmt::format("{}.{:0{}}", time / kMicrosecond, time % kMicrosecond, kDigitsOfMicrosecond);
  text.resize(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace gputlm
