/// An application's use of DRAM as JSON, the same in result.json (docs/result.md) and in memory.json (docs/memory.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/dram/statistics.h"
#include "tlm/time.h"

namespace gputlm {

/// What an application counts, and the bytes that it moved; `burst`: bytes that a burst moves.
nlohmann::ordered_json dram_json(const DramApplicationStatistics& application, Bytes burst);

}  // namespace gputlm
