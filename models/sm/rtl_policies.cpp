#include <algorithm>

#include "models/sm/rtl_models.h"
#include "models/sm/sorter_in_hardware.h"

namespace gputlm {
namespace {

/// The smallest that holds the warps, else the largest.
void add(const PolicyInfo& info, const std::vector<SorterModel>& models) {
  add_sorter_in_hardware(info, [&models](const WarpSchedulerSetup& setup) {
    const auto fits = [&](const SorterModel& model) { return setup.slots <= model.size.warps; };
    const auto model = std::find_if(models.begin(), models.end(), fits);
    return model == models.end() ? models.back() : *model;
  });
}

GPUTLM_REGISTER {
  add({{"lrr@rtl", 5}, "lrr, decided by rtl/lrr_sorter.sv", "srtf, table 4; qaws"}, lrr_rtl_models());
  add({{"gto@rtl", 6}, "gto, decided by rtl/gto_sorter.sv", "fr-rr-fcfs, table 1; qaws"}, gto_rtl_models());
  add({{"qaws@rtl", 7}, "qaws, decided by rtl/qaws_sorter.sv", "qaws, algorithm 1", {Property::kHeedsBudgets}},
      qaws_rtl_models());
}

}  // namespace
}  // namespace gputlm
