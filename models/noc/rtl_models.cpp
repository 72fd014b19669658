#include "models/noc/rtl_models.h"

#include "Voldest_flit_arbiter_128.h"
#include "Voldest_flit_arbiter_16.h"
#include "Vround_robin_flit_arbiter_128.h"
#include "Vround_robin_flit_arbiter_16.h"
#include "Vweighted_flit_arbiter_128.h"
#include "Vweighted_flit_arbiter_16.h"
#include "models/noc/rtl_flit_arbiter_verilated.h"

namespace gputlm {
namespace {

// As rtl_models.cmake has them built.
constexpr FlitArbiterSize kUsual{16, 8, 6, 8, 16};
constexpr FlitArbiterSize kMax{128, 8, 6, 8, 16};

template <class Module>
std::unique_ptr<RtlFlitArbiter> make() {
  return std::make_unique<VerilatedFlitArbiter<Module>>();
}

}  // namespace

const std::vector<FlitArbiterModel>& round_robin_rtl_models() {
  static const std::vector<FlitArbiterModel> models{{kUsual, make<Vround_robin_flit_arbiter_16>},
                                                    {kMax, make<Vround_robin_flit_arbiter_128>}};
  return models;
}

const std::vector<FlitArbiterModel>& oldest_rtl_models() {
  static const std::vector<FlitArbiterModel> models{{kUsual, make<Voldest_flit_arbiter_16>},
                                                    {kMax, make<Voldest_flit_arbiter_128>}};
  return models;
}

const std::vector<FlitArbiterModel>& weighted_rtl_models() {
  static const std::vector<FlitArbiterModel> models{{kUsual, make<Vweighted_flit_arbiter_16>},
                                                    {kMax, make<Vweighted_flit_arbiter_128>}};
  return models;
}

}  // namespace gputlm
