/// Parsing of decimal numbers, independent of the locale and strict: no leading blanks, no plus sign, and no minus sign for
/// an unsigned number.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace gputlm {

/// Removes and returns the number at the front of `text`. Returns nothing, and leaves `text` unchanged, if there is none or
/// it does not fit Number.
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
