/// The link between an L2 slice, or another initiator, and its DRAM controller.
#pragma once

#include "models/dram/config.h"
#include "tlm/link.h"

namespace gputlm {

/// A request flit takes a cycle of `core`, the requester's clock; a response is one flit and takes a command cycle.
/// `response_queue`: responses that the requester holds. Of links that are virtual channels each is one of these.
inline Link dram_link(const Clock& core, const DramConfig& config, unsigned response_queue) {
  const Clock command = Clock::from_mhz(config.command_mhz);
  // Credits in sixteen batches: one waits while the rest of the queue covers the round trip.
  return {config.latency * core.period(),
          {core.period(), 1, input_queue_of(config)},
          {command.period(), 1, response_queue},
          16};
}

}  // namespace gputlm
