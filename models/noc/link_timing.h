/// Link timing of the request and reply networks, for both ends of every hop between SM and L2 slice.
#pragma once

#include "models/noc/config.h"
#include "tlm/port.h"

namespace gputlm {

/// `request_width`, `reply_width`: flits a cycle of the link.
inline LinkTiming noc_link(const Clock& clock, const NocConfig& config, unsigned request_width, unsigned reply_width) {
  // Credits travel in groups of a sixteenth of the queue: the rest of it covers the round trip.
  return {clock, config.hop_latency * clock.period(), clock.period() / request_width, clock.period() / reply_width,
          config.queue >= 16 ? config.queue / 16 : 1};
}

}  // namespace gputlm
