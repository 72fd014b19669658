/// What a result is of: input, GPU and seed. A folder that holds the result of something else is not written to by mistake.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/config.h"
#include "platform/input/run_input.h"

namespace gputlm {

/// `input`, `gpu`, `seed` and `configuration`, as in result.json (docs/result.md). `paths`: of the command line.
nlohmann::ordered_json provenance_of(const RunInput& input, const std::vector<std::string>& paths,
                                     const GpuConfig& config, std::uint64_t seed);

/// Throws InputError if `path` is the result of something else than `ours`, and says what differs. Of an older result,
/// what it does not say is no difference; neither is a file of which nothing can be read.
void check_earlier_result(const std::string& path, const nlohmann::ordered_json& ours);

}  // namespace gputlm
