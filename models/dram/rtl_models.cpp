#include "models/dram/rtl_models.h"

#include "Vfr_fcfs_arbiter_128.h"
#include "Vfr_fcfs_arbiter_64.h"
#include "Vfr_rr_fcfs_arbiter_128.h"
#include "Vfr_rr_fcfs_arbiter_64.h"
#include "models/dram/rtl_verilated.h"

namespace gputlm {
namespace {

// As rtl_models.cmake has them built.
constexpr ArbiterSize kUsual{64, 16, 8, 32, true};
constexpr ArbiterSize kMax{128, 64, 8, 32, true};

template <class Module>
std::unique_ptr<RtlArbiter> make() {
  return std::make_unique<VerilatedArbiter<Module>>();
}

}  // namespace

const std::vector<RtlModel>& fr_fcfs_rtl_models() {
  static const std::vector<RtlModel> models{{kUsual, make<Vfr_fcfs_arbiter_64>}, {kMax, make<Vfr_fcfs_arbiter_128>}};
  return models;
}

const std::vector<RtlModel>& fr_rr_fcfs_rtl_models() {
  static const std::vector<RtlModel> models{{kUsual, make<Vfr_rr_fcfs_arbiter_64>},
                                            {kMax, make<Vfr_rr_fcfs_arbiter_128>}};
  return models;
}

}  // namespace gputlm
