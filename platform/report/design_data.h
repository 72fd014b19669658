/// What a report holds of a design in SystemVerilog: what `gputlm check` and `gputlm cost` have found, as they write it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gputlm {

enum class DesignKind { kCheck, kCost };

/// Which of the two the JSON file is, by its schema (docs/rtl.md, docs/cost.md); none for anything else, a folder too.
std::optional<DesignKind> design_kind(const std::string& path);

/// {"path", "result"}. Throws InputError if the file is no JSON object.
nlohmann::ordered_json design_data(const std::string& path);

}  // namespace gputlm
