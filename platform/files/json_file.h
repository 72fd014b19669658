/// JSON files, read.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

namespace gputlm {

/// Those of its members that are asked for, of a file that is a JSON object; null if it is none, or cannot be read. What
/// the others have, however much that is, is never in memory.
nlohmann::ordered_json read_members(const std::string& path, const std::set<std::string>& members);

}  // namespace gputlm
