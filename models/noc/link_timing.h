/// Link timing of the request and reply networks, for both ends of every hop between SM and L2 slice.
#pragma once

#include "models/noc/config.h"
#include "tlm/port.h"

namespace gputlm {

/// `request_width`, `reply_width`: flits a cycle of the link.
inline LinkTiming noc_link(const Clock& clock, const NocConfig& config, unsigned request_width, unsigned reply_width) {
  // In sixteen batches: one waits while the rest of the queue covers the round trip.
  return {clock, config.hop_latency * clock.period(), clock.period() / request_width, clock.period() / reply_width, 16};
}

/// Packets that the input at the end of a link of this width holds.
inline unsigned queue_depth(const NocConfig& config, unsigned width) { return config.queue * width; }

}  // namespace gputlm
