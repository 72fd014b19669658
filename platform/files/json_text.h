/// JSON as text.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace gputlm {

/// Two spaces a level, and a line's end. Names may come from anywhere: bytes that are not UTF-8 become U+FFFD, as JSON
/// has no others (RFC 8259, 8.1).
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The same of an object in which `list`, an empty array, stands for `count` items: `item(i)` makes each when its turn
/// comes, so that they are never all in memory but as text.
template <class Item>
std::string json_text(const nlohmann::ordered_json& json, const std::string& list, std::size_t count, Item item) {
  constexpr auto kReplace = nlohmann::ordered_json::error_handler_t::replace;
  const std::string around = json_text(json);
  if (count == 0) return around;
  // A line's end in a string is escaped, so that only a member of the object itself stands like this.
  const std::string empty = fmt::format("\n  \"{}\": [", list);
  const std::size_t at = around.find(empty) + empty.size();
  std::string text = around.substr(0, at);
  for (std::size_t i = 0; i < count; ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    const std::string lines = item(i).dump(2, ' ', false, kReplace);
    for (std::size_t from = 0, end = 0; end != lines.size(); from = end) {
      end = std::min(lines.find('\n', from), lines.size() - 1) + 1;
      text.append(lines, from, end - from);
      if (end != lines.size()) text += "    ";
    }
  }
  text += "\n  ";
  text.append(around, at);
  return text;
}

}  // namespace gputlm
