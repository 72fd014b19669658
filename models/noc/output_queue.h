/// The packets that have arrived in a switch and wait for one output: a queue for each input, and whose turn it is, in
/// round-robin order.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "models/noc/packet.h"

namespace gputlm {

/// A bit says of each input that it has a packet. `few`: there are no more inputs than a word has bits, and one word does.
class OutputQueue {
 public:
  /// Inputs, at most.
  static constexpr unsigned kMaxInputs = 256;

  explicit OutputQueue(unsigned inputs) : queues_(std::make_unique<PacketList[]>(inputs)) {}

  bool empty() const { return size_ == 0; }
  template <bool few>
  void push(Packet& packet) {
    ++size_;
    PacketList& queue = queues_[packet.input];
    std::uint64_t& waiting = waiting_[word<few>(packet.input)];
    if (waiting & bit(packet.input)) return queue.append(packet);
    waiting |= bit(packet.input);
    queue.start(packet);
  }
  /// Takes the packet whose turn it is; not if there is none.
  template <bool few>
  Packet& pop() {
    --size_;
    const unsigned input = choose<few>();
    PacketList& queue = queues_[input];
    Packet& packet = queue.first();
    if (queue.is_last(packet)) {
      waiting_[word<few>(input)] &= ~bit(input);
    } else {
      queue.drop_first();
    }
    passed(packet);
    return packet;
  }
  /// It was the turn of this packet, which has not been pushed: the queue was empty.
  void passed(const Packet& packet) { turn_ = (packet.input + 1) % kMaxInputs; }

 private:
  static constexpr unsigned kMaxWords = kMaxInputs / 64;

  static std::uint64_t bit(unsigned input) { return std::uint64_t{1} << input % 64; }
  static unsigned first(std::uint64_t inputs) { return static_cast<unsigned>(__builtin_ctzll(inputs)); }
  template <bool few>
  static unsigned word(unsigned input) {
    return few ? 0 : input / 64;
  }
  /// The next input that has a packet.
  template <bool few>
  unsigned choose() const {
    const std::uint64_t from_turn = ~std::uint64_t{0} << turn_ % 64;
    if (few) {
      const std::uint64_t behind = waiting_[0] & from_turn;
      return first(behind ? behind : waiting_[0]);
    }
    // The word of the input whose turn it is is looked at twice: from this input on, and at last up to it.
    std::uint64_t mask = from_turn;
    for (unsigned word = turn_ / 64;; word = (word + 1) % kMaxWords, mask = ~std::uint64_t{0}) {
      if (const std::uint64_t waiting = waiting_[word] & mask) return word * 64 + first(waiting);
    }
  }

  std::array<std::uint64_t, kMaxWords> waiting_{};
  unsigned turn_ = 0;                     ///< the search begins with this input
  unsigned size_ = 0;                     ///< packets
  std::unique_ptr<PacketList[]> queues_;  ///< by input
};

}  // namespace gputlm
