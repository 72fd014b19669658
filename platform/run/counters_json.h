/// Counters as JSON, made of their descriptions (tlm/counters.h): a name with dots is a path of nested objects, counters
/// by an enum are an object of its labels, those by a number an array. A ratio to 0 is 0.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string_view>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/statistics.h"
#include "models/policy/tally.h"
#include "platform/files/json_text.h"
#include "tlm/counter_visitor.h"
#include "tlm/time.h"

namespace gputlm {

/// What `tell` tells the visitor.
nlohmann::ordered_json counters_json(const std::function<void(CounterVisitor&)>& tell);

template <class S, class = std::enable_if_t<is_described<S>>>
nlohmann::ordered_json counters_json(const S& s) {
  return counters_json([&](CounterVisitor& visitor) { visit_values(s, visitor); });
}

// An application's use of DRAM as JSON, the same in result.json (docs/result.md) and in memory.json (docs/memory.md).

/// What an application counts, and the bytes that it moved; `burst`: bytes that a burst moves.
nlohmann::ordered_json dram_json(const DramApplicationStatistics& application, Bytes burst);

// The policies of a run as JSON, by the parameter that chooses each: {"name": ..., "counters": {...}}.

nlohmann::ordered_json policies_json(const std::vector<PolicyRecord>& policies);

// The energy of DRAM by what its channels have counted, where the parameters dram.energy.* say what a command takes.

/// pJ.
struct DramEnergyAccount {
  double activate = 0, read = 0, write = 0, refresh = 0, background = 0;
  double bits = 0;  ///< that were moved

  double total() const { return activate + read + write + refresh + background; }
  double per_bit() const { return bits > 0 ? total() / bits : 0; }
};

/// `total` is of all channels.
DramEnergyAccount dram_energy(const DramStatistics& total, const DramConfig& config);
/// Of the bursts of an application: an activate serves whoever finds the row open.
double data_energy(const DramApplicationStatistics& application, const DramConfig& config);

nlohmann::ordered_json to_json(const DramEnergyAccount& account);

}  // namespace gputlm
