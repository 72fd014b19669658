/// The results of a run of an address trace, as JSON (docs/memory.md) and as text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "platform/run/memory_run.h"

namespace gputlm {

/// Figures of a run that are derived from counters.
struct MemoryFigures {
  MemoryFigures(const MemoryResult& result, const DramConfig& dram);
  DramStatistics total;  ///< summed over all channels
  double nanoseconds;
  double gigabytes_per_second;  ///< 10^9 bytes of bursts moved, averaged over the whole run
  double peak;                  ///< the same if data moved in every cycle
  double cycles_per_burst;      ///< per channel: each channel has its own bus
};

/// memory.json. `trace` and `seed` are those of the command line.
nlohmann::ordered_json to_json(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                               const std::string& trace, std::uint64_t seed);

std::string summary(const MemoryResult& result, const MemorySystem& system, const std::string& device,
                    const std::string& trace);

}  // namespace gputlm
