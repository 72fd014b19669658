#include "models/noc/crossbar.h"

#include <algorithm>
#include <string>

#include "models/noc/link_timing.h"

namespace gputlm {

Crossbar::Crossbar(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock,
                   const NocConfig& config, unsigned gpcs, unsigned sms_per_gpc, unsigned slices, unsigned slice_queue)
    : WindowedModule(name, window), clock_(clock),
      requests_(
          gpcs, queue_depth(config, config.gpc_request_flits), slices, config.slice_flits, slice_queue,
          [](const Access& access, unsigned) -> unsigned { return access.slice; }, 0),
      replies_(
          slices, queue_depth(config, config.slice_flits), gpcs, config.gpc_reply_flits,
          queue_depth(config, config.gpc_reply_flits),
          [](const Access& access, unsigned per_gpc) { return access.sm / per_gpc; }, sms_per_gpc) {
  for (unsigned i = 0; i < gpcs; ++i) {
    gpc_ports_.push_back(
        std::make_unique<TargetPort<Access>>("gpc_socket_" + std::to_string(i), *this,
                                             noc_link(clock, config, config.gpc_request_flits, config.gpc_reply_flits),
                                             requests_.input(i), replies_.output(i), Peer::kCredited, false));
  }
  for (unsigned i = 0; i < slices; ++i) {
    slice_ports_.push_back(std::make_unique<InitiatorPort<Access>>(
        "slice_socket_" + std::to_string(i), *this, noc_link(clock, config, config.slice_flits, config.slice_flits),
        requests_.output(i), replies_.input(i), false));
  }
}

Femtoseconds Crossbar::advance(Femtoseconds until) {
  const Cycle end = clock_.at_or_after(until);
  return clock_.edge(std::min(requests_.advance(end), replies_.advance(end)));
}

}  // namespace gputlm
