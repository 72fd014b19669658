#pragma once

#include "models/cluster_network/config.h"
#include "tlm/link.h"

namespace gputlm {

/// Link of an SM and the network, either way: one flit of ClusterNetworkConfig::bytes per cycle.
inline Link cluster_link(const Clock& clock, const ClusterNetworkConfig& config) {
  const Link::Direction direction{clock.period(), 1, config.queue};
  return {config.hop_latency * clock.period(), direction, direction};
}

}  // namespace gputlm
