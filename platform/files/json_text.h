/// JSON as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gputlm {

/// Two spaces a level, and a line's end. Names may come from anywhere: bytes that are not UTF-8 become U+FFFD, as JSON
/// has no others (RFC 8259, 8.1).
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace gputlm
