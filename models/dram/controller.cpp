#include "models/dram/controller.h"

#include <string>

#include "models/dram/link_timing.h"

namespace gputlm {

DramController::DramController(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& core_clock,
                               const DramConfig& config, unsigned slices, unsigned response_queue, Peer peer)
    : WindowedModule(name, window), clock_(Clock::from_mhz(config.command_mhz)),
      core_(config, slices, peer == Peer::kForeign ? 1 : response_queue) {
  const LinkTiming timing = dram_link(clock_, core_clock, config);
  for (unsigned i = 0; i < slices; ++i) {
    ports_.push_back(std::make_unique<TargetPort<Access>>("socket_" + std::to_string(i), *this, timing,
                                                          core_.requests(i), core_.responses(i), peer));
  }
}

Femtoseconds DramController::advance(Femtoseconds until) {
  return clock_.edge(core_.advance(clock_.at_or_after(until)));
}

}  // namespace gputlm
