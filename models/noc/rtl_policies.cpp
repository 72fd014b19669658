#include <algorithm>

#include "models/noc/flit_arbiter_in_hardware.h"
#include "models/noc/rtl_models.h"

namespace gputlm {
namespace {

/// The smallest that has the inputs, else the largest.
void add(const PolicyInfo& info, const std::vector<FlitArbiterModel>& models) {
  add_flit_arbiter_in_hardware(info, [&models](const FlitArbiterSetup& setup) {
    const auto fits = [&](const FlitArbiterModel& model) { return setup.inputs <= model.size.inputs; };
    const auto model = std::find_if(models.begin(), models.end(), fits);
    return model == models.end() ? models.back() : *model;
  });
}

GPUTLM_REGISTER {
  add({{"round_robin@rtl", 4},
       "round_robin, decided by rtl/round_robin_flit_arbiter.sv",
       "Dally and Towles, Principles and Practices of Interconnection Networks, 18.3"},
      round_robin_rtl_models());
  add({{"oldest@rtl", 5}, "oldest, decided by rtl/oldest_flit_arbiter.sv", "Abts and Weisser, SC 2007"},
      oldest_rtl_models());
  add({{"weighted@rtl", 6},
       "weighted, decided by rtl/weighted_flit_arbiter.sv",
       "Katevenis et al., IEEE JSAC 9(8), 1991"},
      weighted_rtl_models());
}

}  // namespace
}  // namespace gputlm
