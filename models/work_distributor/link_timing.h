/// Link timing of block launches (work distributor and SM) and kernel launches (host and work distributor).
#pragma once

#include "models/work_distributor/config.h"
#include "tlm/port.h"

namespace gputlm {

inline LinkTiming launch_link(const Clock& clock, const WorkDistributorConfig& config) {
  return {clock, config.launch_latency * clock.period(), clock.period(), clock.period()};
}
inline LinkTiming host_link(const Clock& clock, const WorkDistributorConfig& config) {
  return {clock, config.host_latency * clock.period(), clock.period(), clock.period()};
}

}  // namespace gputlm
