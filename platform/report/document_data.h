/// What a report holds beside runs: what `gputlm check` and `gputlm cost` have found of a design in SystemVerilog, and what
/// `gputlm share` has of ways to share, as they write it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gputlm {

/// The list of the page's data that the JSON file goes to, by its schema (docs/rtl.md, docs/cost.md, docs/share.md), or of a
/// folder its share.json; none for anything else.
std::optional<std::string> list_of_document(const std::string& path);

/// {"path", "result"}. Throws InputError if the file is no JSON object.
nlohmann::ordered_json document_data(const std::string& path);

}  // namespace gputlm
