/// The energy of DRAM by what its channels have counted, where the parameters dram.energy.* say what a command takes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "models/dram/config.h"
#include "models/dram/statistics.h"

namespace gputlm {

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
