/// Statistics of DRAM as JSON, the same in result.json (docs/result.md) and in memory.json (docs/memory.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/dram/statistics.h"
#include "tlm/time.h"

namespace gputlm {

/// A channel, or the sum of several.
nlohmann::ordered_json dram_json(const DramStatistics& channel);
/// The same with what each bank did.
nlohmann::ordered_json dram_json_with_banks(const DramStatistics& channel);
/// `burst`: bytes that a burst moves.
nlohmann::ordered_json dram_json(const DramApplicationStatistics& application, Bytes burst);

}  // namespace gputlm
