/// JSON as text, and access by paths.
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

/// Two spaces per level, ending with a line feed. Names may come from anywhere: bytes that are not UTF-8 become U+FFFD, since
/// JSON allows no others (RFC 8259, 8.1).
std::string json_text(const nlohmann::ordered_json& json);

/// The value at a path of nested objects such as "a.b.c"; missing objects are created.
nlohmann::ordered_json& object_at(nlohmann::ordered_json& json, std::string_view path);

/// A list whose items are made one by one, so that they are never all in memory.
struct JsonList {
  std::string name;
  std::size_t items = 0;
  std::function<nlohmann::ordered_json(std::size_t)> item;
};

/// Writes the same text piece by piece. Members of the object with these names are empty arrays that stand for the lists;
/// `lists` are in the order of the members.
void write_json(const nlohmann::ordered_json& json, const std::vector<JsonList>& lists,
                const std::function<void(std::string_view part)>& sink);

// Reads JSON files.

/// The requested members of a file that is a JSON object; null if it is not one or cannot be read. The contents of other
/// members, of any size, are never in memory.
nlohmann::ordered_json read_members(const std::string& path, const std::set<std::string>& members);

// Writes a tree of values as readable YAML: mappings and lists that fit into a line take one line.

/// Reading it gives the same values.
std::string yaml_text(const nlohmann::ordered_json& tree);

}  // namespace gputlm
