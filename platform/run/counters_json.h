/// Counters as JSON, built from their descriptions (tlm/base/counters.h). A dotted name is a path of nested objects; counters
/// indexed by an enum are an object keyed by its labels, counters indexed by a number an array. A ratio to 0 is 0.
#pragma once

#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/statistics.h"
#include "models/policy/tally.h"
#include "platform/files/json_text.h"
#include "tlm/base/counters.h"
#include "tlm/base/time.h"

namespace gputlm {

/// `counted`: a struct of this layout.
nlohmann::ordered_json counters_json(const CounterLayout& layout, const void* counted);

template <class S, class = std::enable_if_t<is_described<S>>>
nlohmann::ordered_json counters_json(const S& s) {
  return counters_json(counter_layout<S>(), &s);
}

// An application's use of DRAM as JSON, with the same fields in result.json (docs/result.md) and memory.json
// (docs/memory.md).

/// The application's counters and the bytes that it moved; `burst`: bytes per burst.
nlohmann::ordered_json dram_json(const DramApplicationStatistics& application, Bytes burst);

// The policies of a run as JSON, keyed by the parameter that selects each: {"name": ..., "counters": {...}}.

nlohmann::ordered_json policies_json(const std::vector<PolicyRecord>& policies);

// The energy of DRAM from its channels' counters, if the parameters dram.energy.* give the energy of each command.

/// Energies in pJ.
struct DramEnergyAccount {
  double activate = 0, read = 0, write = 0, refresh = 0, background = 0;
  double bits = 0;  ///< bits moved

  double total() const { return activate + read + write + refresh + background; }
  double per_bit() const { return bits > 0 ? total() / bits : 0; }
};

/// `total`: summed over all channels.
DramEnergyAccount dram_energy(const DramStatistics& total, const DramConfig& config);
/// Energy of an application's bursts, without activates: an activate serves every request that finds the row open.
double data_energy(const DramApplicationStatistics& application, const DramConfig& config);

nlohmann::ordered_json to_json(const DramEnergyAccount& account);

}  // namespace gputlm
