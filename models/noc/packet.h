/// The packets that a switch holds, and lists of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "tlm/access.h"

namespace gputlm {

/// Narrow: as many lines of the host's cache are touched as packets are held.
struct Packet {
  Access* access;         ///< null: no packet, but the turn of an output (SwitchCore)
  Packet* next;           ///< behind it in its list
  std::uint32_t arrival;  ///< lower half of the cycle from which on it can be taken
  std::uint16_t input, output;
};

/// A queue, of which only the last packet is known: the first one is behind it. Whether there are any is known
/// elsewhere.
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

/// Places for packets. What has left last is the next place to be used, so that few are.
class PacketPool {
 public:
  bool empty() const { return !free_; }
  void grow() { give_back(all_.emplace_back()); }
  /// Not if it is empty().
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
