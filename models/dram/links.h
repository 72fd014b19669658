/// The link between an L2 slice, or another initiator, and its DRAM controller.
#pragma once

#include "models/dram/config.h"
#include "tlm/link.h"

namespace gputlm {

/// A request flit takes a cycle of `requester`; a response is one flit and takes a command cycle. `core`: the clock of
/// DramConfig::latency. `response_queue`: responses that the requester can hold. Each virtual channel is one such link.
inline Link dram_link(const Clock& core, const DramConfig& config, unsigned response_queue, const Clock& requester) {
  const Clock command = Clock::from_mhz(config.command_mhz);
  // Credits return in sixteen batches: one waits while the rest of the queue covers the round trip.
  return {config.latency * core.period(),
          {requester.period(), 1, input_queue_of(config)},
          {command.period(), 1, response_queue},
          16};
}
/// The requester's clock is the core's.
inline Link dram_link(const Clock& core, const DramConfig& config, unsigned response_queue) {
  return dram_link(core, config, response_queue, core);
}

}  // namespace gputlm
