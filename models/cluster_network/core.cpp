#include "models/cluster_network/core.h"

#include <algorithm>
#include <cassert>

#include "tlm/counter_table.h"

namespace gputlm {

ClusterNetworkCore::ClusterNetworkCore(const Link& link, SmId first_sm, unsigned sms) : first_sm_(first_sm) {
  for (unsigned i = 0; i < sms; ++i) ports_.emplace_back(link);
}

namespace {

/// Whether the network itself answers the packet.
bool is_own(const ClusterPacket& packet) {
  return packet.kind == ClusterPacket::Kind::kBarrier || packet.kind == ClusterPacket::Kind::kLeave;
}

}  // namespace

Cycle ClusterNetworkCore::next_of(Port& port) {
  Cycle next = kNever;
  if (port.requests.size() > 0) {
    const ClusterPacket& packet = port.requests.front();
    next = std::max(port.requests.next(), port.next_request);
    if (!is_own(packet)) next = std::max(next, port_of(packet.to).forwarded.ready_at());
  }
  if (port.replies.size() > 0) {
    const Cycle free = port_of(port.replies.front().from).answers.ready_at();
    next = std::min(next, std::max({port.replies.next(), port.next_reply, free}));
  }
  if (!port.own.empty()) next = std::min(next, std::max({port.own.front().at, port.next_own, port.answers.ready_at()}));
  return next;
}

Cycle ClusterNetworkCore::next() {
  Cycle next = kNever;
  for (Port& port : ports_) next = std::min(next, next_of(port));
  return next;
}

Cycle ClusterNetworkCore::advance(Cycle until) {
  while (true) {
    const Cycle at = next();
    if (at >= until) return at;
    step(at);
  }
}

/// Each input forwards one packet, in turn, if the output is free.
void ClusterNetworkCore::step(Cycle now) {
  const auto count = static_cast<unsigned>(ports_.size());
  for (unsigned left = count, i = turn_; left > 0; --left, i = i + 1 == count ? 0 : i + 1) {
    pass_request(ports_[i], i, now);
    pass_answer(ports_[i], now);
  }
  turn_ = turn_ + 1 == count ? 0 : turn_ + 1;
}

void ClusterNetworkCore::pass_request(Port& port, unsigned number, Cycle now) {
  if (!port.requests.ready(now) || port.next_request > now) return;
  ClusterPacket& head = port.requests.front();
  if (is_own(head)) {
    port.next_request = now + 1;
    return take_own(port.requests.pop(now), now);
  }
  Outbox<ClusterPacket>& out = port_of(head.to).forwarded;
  if (out.ready_at() > now) return;
  statistics_.wait += now - port.requests.next();
  count(head);
  head.from = static_cast<SmId>(first_sm_ + number);
  port.next_request = now + 1;
  out.send(now, port.requests.pop(now));
}

/// Sends the network's own answers to the SM of this port, and that SM's answers to others.
void ClusterNetworkCore::pass_answer(Port& port, Cycle now) {
  if (!port.own.empty() && port.own.front().at <= now && port.next_own <= now && port.answers.ready_at() <= now) {
    port.next_own = now + 1;
    port.answers.send(now, *port.own.pop().packet);
  }
  if (!port.replies.ready(now) || port.next_reply > now) return;
  ClusterPacket& head = port.replies.front();
  Outbox<ClusterPacket>& out = port_of(head.from).answers;
  if (out.ready_at() > now) return;
  statistics_.wait += now - port.replies.next();
  head.flits = head.answer_flits;
  port.next_reply = now + 1;
  out.send(now, port.replies.pop(now));
}

/// A phase of a cluster's barrier ends when all its blocks that have not ended have arrived.
void ClusterNetworkCore::take_own(ClusterPacket& packet, Cycle now) {
  const auto is_its = [&](const Cluster& c) { return c.kernel == packet.identity.kernel && c.first == packet.cluster; };
  auto cluster = std::find_if(clusters_.begin(), clusters_.end(), is_its);
  if (cluster == clusters_.end())
    cluster = clusters_.insert(clusters_.end(), {packet.identity.kernel, packet.cluster, packet.blocks, {}});
  if (packet.kind == ClusterPacket::Kind::kLeave) {
    --cluster->blocks;
    // The block may have arrived and ended without waiting.
    const auto it = std::find_if(cluster->arrived.begin(), cluster->arrived.end(), [&](const Held& held) {
      return held.packet->identity.block == packet.identity.block;
    });
    if (it != cluster->arrived.end()) {
      port_of(it->packet->to).own.push({now, it->packet});
      cluster->arrived.erase(it);
    }
    port_of(packet.to).own.push({now, &packet});
  } else {
    cluster->arrived.push_back({now, &packet});
  }
  if (cluster->arrived.size() == cluster->blocks && cluster->blocks > 0) {
    ++statistics_.barriers;
    for (const Held& held : cluster->arrived) {
      statistics_.barrier_wait += now - held.at;
      port_of(held.packet->to).own.push({now, held.packet});
    }
    cluster->arrived.clear();
  }
  if (cluster->blocks == 0) clusters_.erase(cluster);
}

void ClusterNetworkCore::count(const ClusterPacket& packet) {
  using Kind = ClusterPacket::Kind;
  switch (packet.kind) {
    case Kind::kLoad: ++statistics_.loads; break;
    case Kind::kStore: ++statistics_.stores; break;
    case Kind::kAtomic: ++statistics_.atomics; break;
    case Kind::kArrive: ++statistics_.arrivals; return;
    case Kind::kBytes:
      ++statistics_.multicasts;
      statistics_.multicast_bytes += packet.bytes;
      return;
    case Kind::kBarrier:
    case Kind::kLeave: return;
  }
  statistics_.bytes += packet.bytes;
}

std::vector<std::string> ClusterNetworkCore::waiting() const {
  std::vector<std::string> lines;
  std::size_t packets = 0;
  for (const Port& port : ports_) packets += port.requests.size() + port.replies.size() + port.own.size();
  if (packets > 0) lines.push_back(std::to_string(packets) + " packets between SMs");
  for (const Cluster& cluster : clusters_) {
    if (cluster.arrived.empty()) continue;
    std::string line = "cluster from block " + std::to_string(cluster.first) + " of kernel number " +
                       std::to_string(cluster.kernel) + ": " + std::to_string(cluster.arrived.size()) + " of " +
                       std::to_string(cluster.blocks) + " blocks have arrived at its barrier: ";
    for (std::size_t i = 0; i < cluster.arrived.size(); ++i)
      line += (i == 0 ? "" : ", ") + std::to_string(cluster.arrived[i].packet->identity.block);
    lines.push_back(line);
  }
  return lines;
}

GPUTLM_REGISTER {
  add_counter_table<ClusterNetworkStatistics>("cluster network", {"cluster_network.total", "cluster_network.gpcs"});
}

}  // namespace gputlm
