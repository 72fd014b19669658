/// What a report holds beside runs: what `gputlm check` and `gputlm cost` have found of a design in SystemVerilog, what
/// `gputlm share` has of ways to share, and the tables of a study (`gputlm sweep`), as they write it.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace gputlm {

/// The list of the page's data that the JSON file goes to, by its schema (docs/rtl.md, docs/cost.md, docs/share.md), of a
/// folder by its share.json or summary.csv; none for anything else.
std::optional<std::string> list_of_document(const std::string& path);

/// {"path", "result"}, of a study {"path", "summary", "baseline"} as tables (packed_table.h), the latter where there is one.
/// Throws InputError if the file is no JSON object, or no table.
nlohmann::ordered_json document_data(const std::string& path);

}  // namespace gputlm
