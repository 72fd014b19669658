/// The links at both ends of the host link: to the copy engines next to it, and across to the host's memory. A packet's
/// time on the link is accounted for by the host link itself (core.h); a hop carries one per cycle.
#pragma once

#include "models/host_link/config.h"
#include "tlm/link.h"

namespace gputlm {

/// `hop`: latency in cycles.
inline Link host_packet_link(const Clock& clock, const HostLinkConfig& config, unsigned hop) {
  const Link::Direction direction{clock.period(), 1, config.queue};
  return {hop * clock.period(), direction, direction, 16};
}

}  // namespace gputlm
