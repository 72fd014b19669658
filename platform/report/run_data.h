/// The data of one run in a report.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace gputlm {

/// Reads the files of a run (docs/result.md) in a folder, or beside a result.json: {"path", "result", "performance",
/// "kernels", "blocks", "tables"}, of which only the first two are always present. `most_boxes`: see packed_blocks(). Throws
/// InputError if there is no result, or if a file is not the one that the result lists.
nlohmann::ordered_json run_data(const std::string& path, std::size_t most_boxes);

}  // namespace gputlm
