/// The links of block launches (work distributor and SM) and kernel launches (host and work distributor).
#pragma once

#include "models/work_distributor/config.h"
#include "tlm/link.h"

namespace gputlm {

/// `blocks`: that an SM holds.
inline Link launch_link(const Clock& clock, const WorkDistributorConfig& config, unsigned blocks) {
  const Link::Direction direction{clock.period(), 1, blocks};
  return {config.launch_latency * clock.period(), direction, direction};
}
inline Link host_link(const Clock& clock, const WorkDistributorConfig& config) {
  const Link::Direction direction{clock.period(), 1, config.kernels_in_flight};
  return {config.host_latency * clock.period(), direction, direction};
}

}  // namespace gputlm
