/// A switch with virtual output queues: the one mechanism behind GPC ports (many SMs onto one link, and back) and the
/// crossbar (GPCs by L2 slices, and back).
///
/// Each input buffers its packets by the output they are for, so a packet never waits behind one for another output.
/// Each output sends, whenever its link is free and the receiver has room, the packet of the next input in
/// round-robin order that has one. Outputs share nothing, which is why a window is computed output by output; but for
/// virtual channels: so many outputs, one after the other, share a link, each with a queue behind it of its own. They
/// take turns where several could send.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "tlm/access.h"
#include "tlm/counters.h"
#include "tlm/link.h"
#include "tlm/shared_link.h"

namespace gputlm {

struct SwitchStatistics {
  std::uint64_t packets = 0, flits = 0, wait = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SwitchStatistics;
    v.counter(&S::packets, "packets", "packets", "that were passed on");
    v.counter(&S::flits, "flits", "flits", "of these packets");
    v.counter(&S::wait, "wait_cycles", "core cycles", "spent in the queues, summed over the packets");
    v.ratio(&S::wait, &S::packets, "mean_wait_cycles", "core cycles", "spent in the queues by a packet, on average");
  }
};

class SwitchCore {
 public:
  /// Output that a packet is for; `argument` is the one given at construction.
  using Route = unsigned (*)(const Access&, unsigned argument);

  /// Inputs, at most: an output keeps a bit for each.
  static constexpr unsigned kMostInputs = 256;

  /// `inputs` <= kMostInputs. `input_depth`: packets an input holds. `output_width`: flits a cycle of an output's link.
  /// `output_credits`: packets the receiver behind an output holds. `virtual_channels`: outputs that share a link.
  SwitchCore(unsigned inputs, unsigned input_depth, unsigned outputs, unsigned output_width, unsigned output_credits,
             Route route, unsigned route_argument, unsigned virtual_channels = 1);
  ~SwitchCore();
  SwitchCore(const SwitchCore&) = delete;
  SwitchCore& operator=(const SwitchCore&) = delete;

  unsigned inputs() const { return static_cast<unsigned>(inputs_.size()); }
  unsigned outputs() const { return static_cast<unsigned>(outputs_.size()); }
  Receiver<Access>& input(unsigned i);
  Outbox<Access>& output(unsigned o) { return outputs_[o].link; }
  const Outbox<Access>& output(unsigned o) const { return outputs_[o].link; }

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if only an arrival (of a
  /// packet or a credit) makes work.
  Cycle advance(Cycle until);

  const SwitchStatistics& statistics() const { return statistics_; }
  /// Packets held, for the report of a deadlock.
  std::size_t held() const { return held_; }

 private:
  class Input;
  struct Arrival {
    Cycle at;
    Access* access;
  };
  struct Output {
    Outbox<Access> link;
    std::vector<Cycle> head;                                ///< arrival of each input's first packet for this output
    std::array<std::uint64_t, kMostInputs / 64> waiting{};  ///< inputs that have one, a bit each
    unsigned next_input = 0;                                ///< where the round-robin search begins
  };

  /// Outputs that share a link.
  struct Channels {
    SharedLink link;
    unsigned next = 0;  ///< where the round-robin search begins
  };

  // `words` of Output::waiting hold inputs: the first, or with more than 64 inputs all.
  template <unsigned words>
  Cycle advance_outputs(Cycle until);
  template <unsigned words>
  Cycle advance_output(Output& output, unsigned index, Cycle until);
  template <unsigned words>
  Cycle advance_channels(unsigned group, Cycle until);
  template <unsigned words>
  Access& pass(Output& output, unsigned index, unsigned chosen, Cycle now);
  static constexpr unsigned kNone = kMostInputs;
  template <unsigned words>
  static bool any_waits(const Output& output);
  template <unsigned words>
  static unsigned choose(const Output& output, Cycle now);
  template <unsigned words>
  static Cycle first_arrival(const Output& output);

  Route route_;
  unsigned route_argument_;
  unsigned words_;                  ///< of Output::waiting that hold inputs
  unsigned virtual_channels_;       ///< outputs that share a link, one after the other
  std::vector<Channels> channels_;  ///< by link, if there are several to one
  std::vector<Output> outputs_;
  std::vector<std::unique_ptr<Input>> inputs_;
  SwitchStatistics statistics_;
  std::size_t held_ = 0;
};

/// For the report of a deadlock: a line if the two switches of a unit hold packets.
std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies);

}  // namespace gputlm
