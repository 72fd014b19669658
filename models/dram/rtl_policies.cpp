#include <algorithm>

#include "models/dram/arbiter_in_hardware.h"
#include "models/dram/rtl_models.h"

namespace gputlm {
namespace {

/// The smallest that holds the queue, else the largest.
void add(const PolicyInfo& info, const std::vector<RtlModel>& models) {
  add_scheduler_in_hardware(info, [&models](const SchedulerSetup& setup) {
    const auto fits = [&](const RtlModel& m) { return setup.entries <= m.size.entries && setup.banks <= m.size.banks; };
    const auto model = std::find_if(models.begin(), models.end(), fits);
    return model == models.end() ? models.back() : *model;
  });
}

GPUTLM_REGISTER {
  add({{"fr_fcfs@rtl", 4}, "fr_fcfs, decided by rtl/fr_fcfs_arbiter.sv", "fr-rr-fcfs, section 2"},
      fr_fcfs_rtl_models());
  add({{"fr_rr_fcfs@rtl", 5}, "fr_rr_fcfs, decided by rtl/fr_rr_fcfs_arbiter.sv", "fr-rr-fcfs, section 4.2"},
      fr_rr_fcfs_rtl_models());
}

}  // namespace
}  // namespace gputlm
