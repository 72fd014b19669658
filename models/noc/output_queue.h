/// The packets that wait in a switch for one output: a queue for each input, and whose turn it is. Of the inputs whose
/// first packet has arrived, the next one in round-robin order has it.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tlm/access.h"

namespace gputlm {

/// The packets of all queues are in one list of nodes, and those that left last are the next to be used: what is touched
/// is as much as is held, however many inputs there are.
///
/// A bit says of each input that it has a packet, another that its first one has arrived. `words` of 64 bits hold inputs, the
/// same in all calls; 0 where there is one input, which needs no search.
class OutputQueue {
 public:
  /// Inputs, at most.
  static constexpr unsigned kMostInputs = 256;
  static constexpr unsigned kMostWords = kMostInputs / 64;
  using Inputs = std::array<std::uint64_t, kMostWords>;  ///< a bit each
  struct Arrival {
    Cycle at;
    Access* access;
  };

  explicit OutputQueue(unsigned inputs) : heads_(inputs), queues_(inputs) {}

  template <unsigned words>
  bool empty() const {
    return !any<words>(waiting_);
  }
  /// Packets. Counts them.
  std::size_t size() const;

  /// A packet that can be taken from cycle `at` on; calls for an input are in order of `at`.
  [[gnu::always_inline]] void push(unsigned input, Cycle at, Access& access) {
    if (free_ == kNone) return grow_and_push(input, at, access);
    const std::uint32_t place = free_;
    Packet& packet = packets_[place];
    free_ = packet.next;
    packet.at = at;
    packet.access = &access;
    Queue& queue = queues_[input];
    if (std::uint64_t& waiting = waiting_[input / 64]; waiting & bit(input)) {
      packets_[queue.last].next = place;
    } else {
      waiting |= bit(input);
      queue.first = place;
      heads_[input] = at;
      next_arrival_ = std::min(next_arrival_, at);
    }
    queue.last = place;
  }

  /// Cycle from which on there is a packet to take; 0 if there was one in a cycle that choose() has been asked for.
  template <unsigned words>
  Cycle next() const {
    if (words == 0) return heads_[0];
    return any<words>(arrived_) ? 0 : next_arrival_;
  }
  /// The input whose turn it is in cycle `now` >= next(); calls are in order of `now`.
  template <unsigned words>
  unsigned choose(Cycle now) {
    if (words == 0) return 0;
    if (next_arrival_ <= now) note_arrivals<words>(now);
    const std::uint64_t from_turn = ~std::uint64_t{0} << turn_ % 64;
    if (words == 1) {
      const std::uint64_t arrived = arrived_[0], behind = arrived & from_turn;
      return first(behind ? behind : arrived);
    }
    // The word of the input whose turn it is is looked at twice: from this input on, and at last up to it.
    std::uint64_t mask = from_turn;
    for (unsigned word = turn_ / 64;; word = (word + 1) % kMostWords, mask = ~std::uint64_t{0}) {
      if (const std::uint64_t arrived = arrived_[word] & mask) return word * 64 + first(arrived);
    }
  }
  /// Takes the first packet of the input that has been chosen for cycle `now`.
  template <unsigned words>
  Arrival pop(unsigned input, Cycle now) {
    Queue& queue = queues_[input];
    const std::uint32_t place = queue.first;
    Packet& packet = packets_[place];
    const Arrival arrival{packet.at, packet.access};
    if (place == queue.last) {
      waiting_[word<words>(input)] &= ~bit(input);
      arrived_[word<words>(input)] &= ~bit(input);
    } else {
      queue.first = packet.next;
      const Cycle head = heads_[input] = packets_[packet.next].at;
      if (words > 0 && head > now) {
        arrived_[word<words>(input)] &= ~bit(input);
        next_arrival_ = std::min(next_arrival_, head);
      }
    }
    packet.next = free_;
    free_ = place;
    if constexpr (words > 0) turn_ = (input + 1) % (64 * words);
    return arrival;
  }

  static std::uint64_t bit(unsigned input) { return std::uint64_t{1} << input % 64; }
  static unsigned first(std::uint64_t inputs) { return static_cast<unsigned>(__builtin_ctzll(inputs)); }
  template <unsigned words>
  static unsigned word(unsigned input) {
    return words <= 1 ? 0 : input / 64;
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Packet {
    Cycle at;
    Access* access;
    std::uint32_t next;  ///< behind it in its queue, or among those that are free
  };
  struct Queue {
    std::uint32_t first, last;
  };

  template <unsigned words>
  static bool any(const Inputs& inputs) {
    std::uint64_t any = inputs[0];
    for (unsigned word = 1; word < words; ++word) any |= inputs[word];
    return any != 0;
  }

  /// Of the inputs whose first packet had not arrived.
  template <unsigned words>
  void note_arrivals(Cycle now) {
    Cycle next = kNever;
    for (unsigned word = 0; word < words; ++word) {
      const Cycle* const heads = heads_.data() + word * 64;
      std::uint64_t arrived = 0;
      for (std::uint64_t mask = waiting_[word] & ~arrived_[word]; mask; mask &= mask - 1) {
        const Cycle at = heads[first(mask)];
        if (at <= now) {
          arrived |= mask & -mask;
        } else {
          next = std::min(next, at);
        }
      }
      arrived_[word] |= arrived;
    }
    next_arrival_ = next;
  }
  void grow_and_push(unsigned input, Cycle at, Access& access);

  Cycle next_arrival_ = kNever;  ///< of the first packets that have not arrived
  std::uint32_t free_ = kNone;
  std::vector<Packet> packets_;
  std::vector<Cycle> heads_;   ///< by input: when its first packet arrives
  std::vector<Queue> queues_;  ///< by input
  unsigned turn_ = 0;          ///< the search begins with this one
  Inputs waiting_{}, arrived_{};
};

}  // namespace gputlm
