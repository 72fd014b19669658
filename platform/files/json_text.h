/// JSON as text, and by its paths.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace gputlm {

/// Two spaces a level, and a line's end. Names may come from anywhere: bytes that are not UTF-8 become U+FFFD, as JSON
/// has no others (RFC 8259, 8.1).
std::string json_text(const nlohmann::ordered_json& json);

/// What stands at a path of nested objects, as "a.b.c"; those that are not there are made.
nlohmann::ordered_json& object_at(nlohmann::ordered_json& json, std::string_view path);

/// A list whose items are made when their turn comes, so that they are never all in memory.
struct JsonList {
  std::string name;
  std::size_t items = 0;
  std::function<nlohmann::ordered_json(std::size_t)> item;
};

/// The same text, part by part, of an object in which members with these names are empty arrays, which stand for the
/// lists. `lists` are in the order of the members.
void write_json(const nlohmann::ordered_json& json, const std::vector<JsonList>& lists,
                const std::function<void(std::string_view part)>& sink);

// JSON files, read.

/// Those of its members that are asked for, of a file that is a JSON object; null if it is none, or cannot be read. What
/// the others have, however much that is, is never in memory.
nlohmann::ordered_json read_members(const std::string& path, const std::set<std::string>& members);

// A tree of values as YAML that a person reads: mappings and lists of a line where they fit into one.

/// Reads back as the same values.
std::string yaml_text(const nlohmann::ordered_json& tree);

}  // namespace gputlm
