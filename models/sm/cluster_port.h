/// An SM's ends of the links to the cluster network (models/cluster_network), for requests of its blocks to others and of
/// others to them.
#pragma once

#include <algorithm>

#include "models/cluster_network/config.h"
#include "models/kernel/launch.h"
#include "tlm/base/ring.h"
#include "tlm/cluster_packet.h"
#include "tlm/item_source.h"
#include "tlm/link.h"

namespace gputlm {

class ClusterPort {
 public:
  /// Arguments given by reference must outlive it, except the link.
  ClusterPort(ItemSource<ClusterPacket>& packets, const ClusterNetworkConfig& config, const Link& link)
      : requests(link.request.width, link.request.queue), answers(link.response.queue), arrivals(link.request.queue),
        replies(link.response.width, link.response.queue), packets_(packets), config_(config) {}

  // Ends of links:
  Outbox<ClusterPacket> requests;
  Inbox<ClusterPacket> answers;
  Inbox<ClusterPacket> arrivals;
  Outbox<ClusterPacket> replies;

  /// A packet to the block of the same cluster with `rank`.
  ClusterPacket& packet_to(const BlockLaunch& block, std::uint32_t rank) {
    ClusterPacket& packet = packets_.allocate();
    packet.identity = block.identity;
    packet.cluster = block.cluster->members.front().block;
    packet.blocks = static_cast<std::uint8_t>(block.cluster->members.size());
    packet.block = block.cluster->members[rank].block;
    packet.to = block.cluster->members[rank].sm;
    return packet;
  }
  void release(ClusterPacket& packet) { packets_.release(packet); }

  std::uint16_t flits(Bytes bytes) const { return whole(bytes, config_.bytes); }
  std::uint16_t multicast_flits(Bytes bytes) const { return whole(bytes, config_.multicast_bytes); }

  /// Whether the load/store unit may send at `now`: what is due has left, and few packets wait.
  bool has_room(Cycle now) {
    if (out_.size() >= kRoom) drain(now + 1);
    return out_.size() < kRoom;
  }
  /// Cycle in which it may try again; kNever while no credit is known.
  Cycle next_free() const { return requests.ready_at(); }
  /// Packets leave in the order of the calls, none before its `at`.
  void send(Cycle at, ClusterPacket& packet) { out_.push({at, &packet}); }
  void reply(Cycle at, ClusterPacket& packet) { back_.push({at, &packet}); }
  /// Sends what leaves before `until`; to be called at the end of each window. Returns when more can leave.
  Cycle drain(Cycle until) { return std::min(drain(out_, requests, until), drain(back_, replies, until)); }
  Cycle next_arrival() const { return std::min(answers.next(), arrivals.next()); }
  bool sends() const { return !out_.empty() || !back_.empty(); }

 private:
  struct Held {
    Cycle at = 0;
    ClusterPacket* packet = nullptr;
  };
  static constexpr std::size_t kRoom = 16;
  static constexpr std::size_t kMost = std::size_t{1} << 20;  ///< limit: warps bound what barriers and multicasts add

  static std::uint16_t whole(Bytes bytes, unsigned a_cycle) {
    return static_cast<std::uint16_t>(std::max<Bytes>(1, (bytes + a_cycle - 1) / a_cycle));
  }
  static Cycle drain(Ring<Held>& held, Outbox<ClusterPacket>& port, Cycle until) {
    while (!held.empty()) {
      const Cycle at = std::max(held.front().at, port.ready_at());
      if (at >= until) return at;
      port.send(at, *held.pop().packet);
    }
    return kNever;
  }

  ItemSource<ClusterPacket>& packets_;
  const ClusterNetworkConfig& config_;
  Ring<Held> out_{kMost}, back_{kMost};
};

}  // namespace gputlm
