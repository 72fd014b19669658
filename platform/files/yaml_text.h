/// A tree of values as YAML that a person reads: mappings and lists of a line where they fit into one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputlm {

/// Reads back as the same values.
std::string yaml_text(const nlohmann::ordered_json& tree);

}  // namespace gputlm
