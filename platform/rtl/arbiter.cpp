/// Arbiters of DRAM controllers.
#include <algorithm>

#include "models/dram/arbiter_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

unsigned power_of_two(unsigned least) {
  unsigned power = 1;
  while (power < least) power *= 2;
  return power;
}

RtlModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  const auto bits = [&](const char* port) { return interface.ports.at(port).bits; };
  const bool has_cap = parameters.count("HasCap") == 0 || parameters.at("HasCap") != 0;
  return {{bits("grant_o"), 1u << bits("ask_bank_i"), 1u << bits("req_app_i"), bits("req_row_i"), has_cap},
          built<RtlArbiter>("arbiter", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<RtlModel>>(design, interface, model_of);
  add_scheduler_in_hardware({{design.top() + "@rtl"}, "Decided by " + design.path(), design.path()},
                            [models](const SchedulerSetup& setup) {
                              return models->with({{"Entries", std::max(8u, power_of_two(setup.entries))},
                                                   {"Banks", power_of_two(setup.banks)},
                                                   {"Apps", 8},
                                                   {"RowW", 32},
                                                   {"HasCap", setup.row_hit_cap > 0}});
                            });
}

GPUTLM_REGISTER {
  rtl_kinds().add(
      {{"arbiter", 1},
       "rtl/fr_rr_fcfs_arbiter.sv",
       "Arbiter",
       "models/dram/rtl_verilated.h",
       {"req_valid_i", "req_bank_i", "req_row_i", "req_app_i", "req_id_i", "row_valid_i", "row_open_i", "row_bank_i",
        "row_row_i", "ask_valid_i", "ask_bank_i", "hit_cap_i", "grant_ready_i"},
       {"req_ready_o", "grant_valid_o", "grant_o", "grant_id_o", "grant_row_o", "grant_app_o", "grant_hit_o"},
       add});
}

}  // namespace
}  // namespace gputlm
