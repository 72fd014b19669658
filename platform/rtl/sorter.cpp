/// Sorters of warps.
#include <algorithm>

#include "models/sm/sorter_in_hardware.h"
#include "platform/rtl/kind.h"

namespace gputlm {
namespace {

SorterModel model_of(const RtlDesign& design, const RtlParameters& parameters) {
  const RtlDesign::Interface interface = design.interface(parameters);
  const auto bits = [&](const char* port) { return interface.ports.at(port).bits; };
  const unsigned groups = 1u << bits("event_group_i");
  return {{bits("ready_i"), groups, bits("budget_i") / groups, false},
          built<RtlSorter>("sorter", design, interface, parameters)};
}

void add(const RtlDesign& design, const RtlDesign::Interface& interface) {
  const auto models = std::make_shared<RtlModels<SorterModel>>(design, interface, model_of);
  add_sorter_in_hardware(
      {{design.top() + "@rtl"}, "Decided by " + design.path(), design.path(), {Property::kHeedsBudgets}},
      [models](const WarpSchedulerSetup& setup) {
        return models->with({{"Warps", std::max(8u, setup.slots)}, {"Groups", 8}, {"BudgetW", 8}, {"FullOrder", 0}});
      });
}

GPUTLM_REGISTER {
  rtl_kinds().add(
      {{"sorter", 2},
       "rtl/qaws_sorter.sv",
       "Sorter",
       "models/sm/rtl_verilated.h",
       {"event_valid_i", "event_assign_i", "event_slot_i", "event_group_i", "budget_i", "ready_i", "issue_i"},
       {"grant_valid_o", "grant_o", "grant_slot_o", "order_o", "order_count_o"},
       add});
}

}  // namespace
}  // namespace gputlm
