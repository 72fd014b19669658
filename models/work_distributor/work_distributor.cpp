#include "models/work_distributor/work_distributor.h"

#include <string>

#include "models/work_distributor/link_timing.h"

namespace gputlm {

WorkDistributor::WorkDistributor(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock,
                                 const WorkDistributorConfig& config, const SmConfig& sm, unsigned sms,
                                 BlockObserver& observer)
    : WindowedModule(name, window), clock_(clock), core_(config, sm, sms, blocks_, observer),
      host_port_("host_socket", *this, host_link(clock, config), core_.launches(), core_.completions()) {
  for (unsigned i = 0; i < sms; ++i) {
    sm_ports_.push_back(std::make_unique<InitiatorPort<BlockLaunch>>(
        "sm_socket_" + std::to_string(i), *this, launch_link(clock, config), core_.block_launches(i),
        core_.block_completions(i), true));
  }
}

Femtoseconds WorkDistributor::advance(Femtoseconds until) {
  return clock_.edge(core_.advance(clock_.at_or_after(until)));
}

}  // namespace gputlm
