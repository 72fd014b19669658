/// The links of the request and reply networks, between SM and L2 slice.
#pragma once

#include "models/noc/config.h"
#include "models/noc/partition_connection.h"
#include "tlm/link.h"

namespace gputlm {

/// `core`: the SMs' clock. `request_width`, `reply_width`: flits a cycle of the networks' clock; a queue grows with the
/// width of its link.
inline Link noc_link(const Clock& core, const NocConfig& config, unsigned request_width, unsigned reply_width) {
  const Femtoseconds cycle = config.clock(core).period();
  const auto direction = [&](unsigned width) { return Link::Direction{cycle / width, width, config.queue * width}; };
  // Credits return in sixteen batches: one waits while the rest of the queue covers the round trip.
  return {config.hop_latency * core.period(), direction(request_width), direction(reply_width), 16};
}

/// SM and GPC port. An SM sends a flit per cycle of its own clock.
inline Link sm_link(const Clock& core, const NocConfig& config) {
  Link link = noc_link(core, config, 1, 1);
  link.request.flit = core.period();
  return link;
}

/// GPC port and crossbar.
inline Link gpc_link(const Clock& core, const NocConfig& config) {
  return noc_link(core, config, config.gpc_request_flits, config.gpc_reply_flits);
}

/// The crossbar and a unit with the SMs' clock at a separate input: copy engines, MMU, memory port.
inline Link core_link(const Clock& core, const NocConfig& config) {
  Link link = gpc_link(core, config);
  link.request.flit = core.period() / config.gpc_request_flits;
  return link;
}

/// Crossbar and L2 slice, whose input holds `queue` packets.
inline Link slice_link(const Clock& core, const NocConfig& config, unsigned queue) {
  Link link = noc_link(core, config, config.slice_flits, config.slice_flits);
  link.request.queue = queue;
  return link;
}

/// Connection of the two L2 partitions.
inline PartitionConnection::Setup partition_connection(const NocConfig& config) {
  return {2 * Cycle{config.partition_latency}, config.partition_flits, config.flits()};
}

}  // namespace gputlm
