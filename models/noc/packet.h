/// The packets that a switch holds, and lists of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "tlm/access.h"

namespace gputlm {

/// Narrow, since each held packet touches the host's cache.
struct Packet {
  Access* access;         ///< null: not a packet, but the turn of an output (SwitchCore)
  Packet* next;           ///< the next in its list
  std::uint32_t arrival;  ///< lower half of the cycle from which it can be taken
  std::uint16_t input, output;
};

/// A circular queue that stores only its last packet, whose `next` is the first. The owner knows whether it is empty.
class PacketList {
 public:
  void start(Packet& packet) { last_ = packet.next = &packet; }
  void append(Packet& packet) {
    packet.next = last_->next;
    last_->next = &packet;
    last_ = &packet;
  }
  Packet& first() const { return *last_->next; }
  bool is_last(const Packet& packet) const { return &packet == last_; }
  /// Takes the first one, which is not the last.
  void drop_first() { last_->next = last_->next->next; }

 private:
  Packet* last_ = nullptr;
};

/// Storage for packets. The place freed last is reused first, so that few are touched.
class PacketPool {
 public:
  bool empty() const { return !free_; }
  void grow() { give_back(all_.emplace_back()); }
  /// Requires !empty().
  Packet& take() {
    Packet& packet = *free_;
    free_ = packet.next;
    return packet;
  }
  void give_back(Packet& packet) {
    packet.next = free_;
    free_ = &packet;
  }
  /// Packets in use. Counts them.
  std::size_t in_use() const {
    std::size_t size = all_.size();
    for (const Packet* packet = free_; packet; packet = packet->next) --size;
    return size;
  }

 private:
  Packet* free_ = nullptr;
  std::deque<Packet> all_;
};

}  // namespace gputlm
