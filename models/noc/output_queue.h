/// The packets in a switch that wait for one output: a queue for each input, and the choice of the next.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/noc/flit_arbiter.h"
#include "models/noc/input_turn.h"
#include "models/noc/packet.h"

namespace gputlm {

/// How the next packet of an OutputQueue is chosen.
enum class OutputChoice : std::uint8_t {
  kTurn,      ///< inputs take turns
  kFewTurn,   ///< inputs take turns, and one word has a bit for each
  kByPolicy,  ///< a policy is asked
};

/// A bit per input says whether it has a packet.
class OutputQueue {
 public:
  /// Maximum number of inputs.
  static constexpr unsigned kMaxInputs = kMaxSwitchInputs;

  explicit OutputQueue(unsigned inputs) : queues_(std::make_unique<PacketList[]>(inputs)) {}

  /// Selects OutputChoice::kByPolicy; before anything is pushed.
  void ask(std::unique_ptr<FlitArbiter> policy, unsigned inputs, const std::optional<ClockChange>& issued = {}) {
    asked_ = std::make_unique<Asked>(Asked{std::move(policy), std::vector<FlitHead>(inputs), issued});
  }
  /// Replaces the policy by what `wrap` makes of it; after ask(), before anything is pushed.
  template <class Wrap>
  void wrap(Wrap wrap) {
    asked_->policy = wrap(std::move(asked_->policy));
  }
  void count(PolicyCounts& counts) const {
    if (asked_) asked_->policy->count(counts);
  }

  bool empty() const { return size_ == 0; }
  template <OutputChoice choice>
  void push(Packet& packet) {
    ++size_;
    PacketList& queue = queues_[packet.input];
    std::uint64_t& waiting = waiting_[word<choice>(packet.input)];
    if (waiting & bit(packet.input)) return queue.append(packet);
    waiting |= bit(packet.input);
    queue.start(packet);
    if (choice == OutputChoice::kByPolicy) asked_->first(packet);
  }
  /// Takes the next packet in cycle `now`; requires one.
  template <OutputChoice choice>
  Packet& pop(Cycle now) {
    --size_;
    const unsigned input = choose<choice>(now);
    PacketList& queue = queues_[input];
    Packet& packet = queue.first();
    const bool is_last = queue.is_last(packet);
    if (is_last) {
      waiting_[word<choice>(input)] &= ~bit(input);
    } else {
      queue.drop_first();
    }
    if (choice == OutputChoice::kByPolicy) {
      asked_->policy->served(input, asked_->heads[input]);
      if (!is_last) asked_->first(queue.first());
    } else {
      passed(packet);
    }
    return packet;
  }
  /// Records the turn of a packet that was not pushed, since the queue was empty.
  void passed(const Packet& packet) { turn_.served(packet.input); }

 private:
  struct Asked {
    std::unique_ptr<FlitArbiter> policy;
    std::vector<FlitHead> heads;        ///< indexed by input
    std::optional<ClockChange> issued;  ///< FlitArbitration::issued

    void first(const Packet& packet) {
      const Access& access = *packet.access;
      heads[packet.input] = {issued ? (*issued)(access.issued) : access.issued, access.flits,
                             static_cast<std::uint8_t>(access.identity.application % kArbitratedApplications),
                             packet.arrival};
    }
  };

  static std::uint64_t bit(unsigned input) { return std::uint64_t{1} << input % 64; }
  template <OutputChoice choice>
  static unsigned word(unsigned input) {
    return choice == OutputChoice::kFewTurn ? 0 : input / 64;
  }
  template <OutputChoice choice>
  unsigned choose(Cycle now) const {
    if (choice == OutputChoice::kByPolicy) return asked_->policy->next({waiting_, asked_->heads.data(), now});
    return turn_.next<choice == OutputChoice::kFewTurn>(waiting_);
  }

  InputSet waiting_{};
  InputTurn turn_;
  unsigned size_ = 0;                     ///< number of packets
  std::unique_ptr<PacketList[]> queues_;  ///< indexed by input
  std::unique_ptr<Asked> asked_;          ///< null: inputs take turns
};

}  // namespace gputlm
