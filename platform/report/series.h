/// series.csv as a report holds it (docs/result.md).
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace gputlm {

/// The table with as many intervals as there are, or, of more than `most`, with sums over neighbours, as many for each.
nlohmann::ordered_json packed_series(const std::string& path, std::string_view text, std::size_t most);

}  // namespace gputlm
