/// Numbers that are written as text, in decimal. They depend on no locale, and what is no number is none: no blanks in
/// front, no plus sign, and no minus sign of an unsigned number.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gputlm {

/// The number at the front of `text`, which it takes from there; nothing, and `text` as it was, if none stands there or
/// Number does not hold it.
template <class Number>
std::optional<Number> take_number(std::string_view& text) {
  Number number{};
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return number;
}

/// All of `text` as a number.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  const auto number = take_number<Number>(text);
  return text.empty() ? number : std::nullopt;
}

}  // namespace gputlm
