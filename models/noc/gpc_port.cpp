#include "models/noc/gpc_port.h"

#include <algorithm>
#include <string>

#include "models/noc/link_timing.h"

namespace gputlm {

GpcPort::GpcPort(const sc_core::sc_module_name& name, Femtoseconds window, const Clock& clock, const NocConfig& config,
                 unsigned first_sm, unsigned sms)
    : WindowedModule(name, window), clock_(clock),
      requests_(
          sms, queue_depth(config, 1), 1, config.gpc_request_flits, queue_depth(config, config.gpc_request_flits),
          [](const Access&, unsigned) { return 0u; }, 0),
      replies_(
          1, queue_depth(config, config.gpc_reply_flits), sms, 1, queue_depth(config, 1),
          [](const Access& access, unsigned first) { return access.sm - first; }, first_sm),
      crossbar_port_("crossbar_socket", *this,
                     noc_link(clock, config, config.gpc_request_flits, config.gpc_reply_flits), requests_.output(0),
                     replies_.input(0), false) {
  for (unsigned i = 0; i < sms; ++i) {
    sm_ports_.push_back(std::make_unique<TargetPort<Access>>("sm_socket_" + std::to_string(i), *this,
                                                             noc_link(clock, config, 1, 1), requests_.input(i),
                                                             replies_.output(i), Peer::kCredited, false));
  }
}

Femtoseconds GpcPort::advance(Femtoseconds until) {
  const Cycle end = clock_.at_or_after(until);
  return clock_.edge(std::min(requests_.advance(end), replies_.advance(end)));
}

}  // namespace gputlm
