/// The links of block launches (work distributor and SM) and kernel launches (host and work distributor).
#pragma once

#include "models/work_distributor/config.h"
#include "tlm/link.h"

namespace gputlm {

/// Cycles from the host to the work distributor, and back.
inline Cycle host_hop(const Clock& clock, const WorkDistributorConfig& config) {
  constexpr Femtoseconds kNs = 1'000'000;
  return config.host_ns > 0 ? clock.at_or_after(config.host_ns * kNs) : config.host_latency;
}
/// The link of block launches. `blocks`: maximum number of blocks that an SM holds.
inline Link launch_link(const Clock& clock, const WorkDistributorConfig& config, unsigned blocks) {
  const Link::Direction direction{clock.period(), 1, blocks};
  return {config.launch_latency * clock.period(), direction, direction};
}
/// The link of the commands that take blocks off an SM: one at a time.
inline Link switch_link(const Clock& clock, const WorkDistributorConfig& config) {
  return launch_link(clock, config, 1);
}
/// The link of GridSignals: a block sends one, and an SM receives one for each kernel of which it has a block. There is also
/// room for those whose credit is on its way back.
inline Link signal_link(const Clock& clock, const WorkDistributorConfig& config, unsigned blocks) {
  return launch_link(clock, config, 2 * blocks);
}
/// The link of PendingWork: as many messages are under way as there are applications. Those on their
/// way back never wait: there is room for all that may have arrived in the time that one takes.
inline Link pending_link(const Clock& clock, const WorkDistributorConfig& config, std::size_t contexts) {
  const auto words = static_cast<unsigned>(contexts);
  return {host_hop(clock, config) * clock.period(), {clock.period(), 1, words}, {clock.period(), 1, 2 * words}};
}
/// The link of kernel launches. `contexts`: each may have as many kernels in flight as the configuration says.
inline Link host_link(const Clock& clock, const WorkDistributorConfig& config, std::size_t contexts = 1) {
  const Link::Direction direction{clock.period(), 1, static_cast<unsigned>(config.kernels_in_flight * contexts)};
  return {host_hop(clock, config) * clock.period(), direction, direction};
}

}  // namespace gputlm
