#include "models/noc/partition_connection.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

PartitionConnection::PartitionConnection(const Setup& setup, SwitchCore& replies) : setup_(setup), replies_(replies) {
  // Enough that only the network behind it holds packets up: a slot is free again when packet and credit have crossed.
  const auto credits = static_cast<unsigned>(setup.width * (2 * setup.latency + 1));
  for (unsigned d = 1; d <= kDirections; ++d) replies_.set_link(replies_.outputs() - d, setup.width, credits);
}

/// Proceeds in steps no longer than a crossing, so packets that leave in a step arrive after its end.
Cycle PartitionConnection::advance(Cycle until) {
  while (computed_ < until) {
    const Cycle end = std::min(until, computed_ + setup_.latency);
    const Cycle next = replies_.advance(end);
    computed_ = end;
    if (!cross()) computed_ = std::max(end, std::min(next, until));
  }
  return replies_.advance(until);
}

/// Moves packets and credits across; true if a packet has left, or has entered the network again.
bool PartitionConnection::cross() {
  bool any = false;
  for (unsigned d = 0; d < kDirections; ++d) {
    Outbox<Access>& out = replies_.output(replies_.outputs() - kDirections + d);
    Receiver<Access>& in = replies_.input(replies_.inputs() - kDirections + d);
    for (const auto& departure : out.departures()) {
      Access& reply = *departure.item;
      ++statistics_.packets;
      statistics_.flits += reply.flits;
      reply.partition &= static_cast<std::uint8_t>(~kCrossing);
      reply.flits = setup_.flits.reply_flits(reply);
      in.push((departure.slot + setup_.width - 1) / setup_.width + setup_.latency, reply);
    }
    for (const Cycle at : in.freed_slots()) out.credit(at + setup_.latency, 1);
    any = any || !out.departures().empty() || !in.freed_slots().empty();
    out.departures().clear();
    in.freed_slots().clear();
  }
  return any;
}

GPUTLM_REGISTER { add_counter_table<PartitionConnectionStatistics>("partition connection", {"noc"}); }

}  // namespace gputlm
