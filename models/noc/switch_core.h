/// A switch with virtual output queues: the one mechanism behind GPC ports (many SMs onto one link, and back) and the
/// crossbar (GPCs by L2 slices, and back).
///
/// Each input buffers its packets by the output they are for, so a packet never waits behind one for another output.
/// Each output sends, whenever its link is free and the receiver has room, the packet of the next input in
/// round-robin order that has one. Outputs share nothing, which is why a window is computed output by output; but for
/// virtual channels: so many outputs, one after the other, share a link, each with a queue behind it of its own. They
/// take turns where several could send.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/noc/cycle_sorter.h"
#include "models/noc/output_queue.h"
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
  /// Inputs, at most.
  static constexpr unsigned kMostInputs = OutputQueue::kMostInputs;

  /// `inputs` <= kMostInputs. `input_depth`: packets an input holds. `output_width`: flits a cycle of an output's link.
  /// `output_credits`: packets the receiver behind an output holds. `route(access)`: the output that a packet is for.
  /// `virtual_channels`: outputs that share a link.
  template <class Route>
  SwitchCore(unsigned inputs, unsigned input_depth, unsigned outputs, unsigned output_width, unsigned output_credits,
             Route route, unsigned virtual_channels = 1)
      : SwitchCore(inputs, outputs, output_width, output_credits, virtual_channels) {
    for (unsigned i = 0; i < inputs; ++i) {
      inputs_.push_back(std::make_unique<RoutingInput<Route>>(*this, i, input_depth, route));
    }
  }
  ~SwitchCore();
  SwitchCore(const SwitchCore&) = delete;
  SwitchCore& operator=(const SwitchCore&) = delete;

  unsigned inputs() const { return static_cast<unsigned>(inputs_.size()); }
  unsigned outputs() const { return static_cast<unsigned>(outputs_.size()); }
  Receiver<Access>& input(unsigned i) { return *inputs_[i]; }
  Outbox<Access>& output(unsigned o) { return outputs_[o].link; }
  const Outbox<Access>& output(unsigned o) const { return outputs_[o].link; }

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if only an arrival (of a
  /// packet or a credit) makes work.
  Cycle advance(Cycle until);

  SwitchStatistics statistics() const;
  /// Packets held, for the report of a deadlock.
  std::size_t held() const;

 private:
  struct Output {
    Outbox<Access> link;
    OutputQueue queue;
  };
  class Input : public Receiver<Access> {
   public:
    using Receiver::Receiver;
    CycleSorter left;  ///< when packets did, where there are several outputs
  };
  template <class Route>
  class RoutingInput final : public Input {
   public:
    RoutingInput(SwitchCore& owner, unsigned index, unsigned depth, Route route)
        : Input(depth), owner_(owner), index_(index), route_(std::move(route)) {}
    void push(Cycle at, Access& access) override { owner_.outputs_[route_(access)].queue.push(index_, at, access); }

   private:
    SwitchCore& owner_;
    unsigned index_;
    Route route_;
  };

  /// Outputs that share a link.
  struct Channels {
    SharedLink link;
    unsigned next = 0;  ///< where the round-robin search begins
  };

  SwitchCore(unsigned inputs, unsigned outputs, unsigned output_width, unsigned output_credits,
             unsigned virtual_channels);
  // `words`: of an OutputQueue.
  template <unsigned words>
  Cycle advance_outputs(Cycle until);
  template <unsigned words>
  Cycle advance_output(Output& output, Cycle until);
  template <unsigned words>
  Cycle advance_channels(unsigned group, Cycle until);
  template <unsigned words>
  Access& pass(Output& output, Cycle now, Cycle until);
  void free_slots(Cycle until);

  bool single_output_;
  unsigned virtual_channels_;       ///< outputs that share a link, one after the other
  std::vector<Channels> channels_;  ///< by link, if there are several to one
  std::vector<Output> outputs_;
  std::vector<std::unique_ptr<Input>> inputs_;
  OutputQueue::Inputs left_{};  ///< those that packets have left, likewise
  SwitchStatistics statistics_;
};

/// For the report of a deadlock: a line if the two switches of a unit hold packets.
std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies);

}  // namespace gputlm
