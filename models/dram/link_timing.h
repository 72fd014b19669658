/// Link timing between an L2 slice and its DRAM controller, for both ends.
#pragma once

#include "models/dram/config.h"
#include "tlm/port.h"

namespace gputlm {

/// `own`: clock of the unit at this end. A request flit takes a core cycle; a
/// response is one flit and takes a command cycle.
inline LinkTiming dram_link(const Clock& own, const Clock& core, const DramConfig& config) {
  // Credits in sixteen batches: one waits while the rest of the queue covers the round trip.
  return {own, config.latency * core.period(), core.period(), Clock::from_mhz(config.command_mhz).period(), 16};
}

}  // namespace gputlm
