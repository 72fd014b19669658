/// A switch with virtual output queues, used for GPC ports (many SMs onto one link, and back) and the crossbar (GPCs by L2
/// slices, and back).
///
/// Each input buffers its packets by output, so a packet never waits behind one for another output. Whenever an output's
/// link is free and the receiver has room, it sends the packet of the next input in round-robin order that has one, or of
/// the input that a policy names (flit_arbiter.h). Outputs share nothing, except with virtual channels: that many
/// consecutive outputs share a link, each with its own queue at the receiver, and take turns.
///
/// A window is computed in order of time: a calendar holds packets by arrival, and outputs with waiting packets by when
/// they can send.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/noc/calendar.h"
#include "models/noc/decisions.h"
#include "models/noc/output_queue.h"
#include "models/noc/packet.h"
#include "tlm/access.h"
#include "tlm/base/counters.h"
#include "tlm/link.h"
#include "tlm/shared_link.h"
#include "tlm/tap.h"

namespace gputlm {

struct SwitchStatistics {
  std::uint64_t packets = 0, flits = 0, wait = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = SwitchStatistics;
    v.counter(&S::packets, "packets", "packets", "Packets that were passed on");
    v.counter(&S::flits, "flits", "flits", "Flits of these packets");
    v.counter(&S::wait, "wait_cycles", "cycles", "Time in the queues, summed over the packets");
    v.ratio(&S::wait, &S::packets, "mean_wait_cycles", "cycles", "Mean time of a packet in the queues");
  }
};

class SwitchCore {
 public:
  /// Maximum inputs.
  static constexpr unsigned kMaxInputs = OutputQueue::kMaxInputs;

  /// `inputs` <= kMaxInputs, `outputs` <= 65536. `input_depth`: packets that an input holds. `output_width`: flits per
  /// cycle of an output's link. `output_credits`: packets that the receiver of an output holds. `route(access)`: the output
  /// that a packet is for. `virtual_channels`: outputs that share a link.
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

  /// Sets a different link for one output, before anything is sent.
  void set_link(unsigned o, unsigned width, unsigned credits) { outputs_[o].link = Outbox<Access>(width, credits); }

  /// Gives each output its own policy of this name instead of round robin, before anything is sent.
  void ask(const FlitArbitration& arbitration);
  /// The events of an output's policy; to be called before anything is sent. With round robin, the outputs then use the
  /// policy object for it: the same packets leave.
  Tap<FlitArbiterEvent>& record(unsigned output);

  /// Computes everything strictly before `until`; returns the next cycle with work, kNever if it depends on an arrival (of
  /// a packet or a credit).
  Cycle advance(Cycle until);

  SwitchStatistics statistics() const;
  /// Adds the counters of the policies.
  void count(PolicyCounts& counts) const;
  /// Packets held, for the report of a deadlock.
  std::size_t held() const { return packets_.in_use(); }

 private:
  struct Output {
    Outbox<Access> link;
    OutputQueue queue;
    Packet* only =
        nullptr;  ///< a single waiting packet, which bypasses the queue; with virtual channels or policies none does
    bool listed = false;  ///< its turn is in the calendar, or it is starved
  };
  template <class Route>
  class RoutingInput final : public Receiver<Access> {
   public:
    RoutingInput(SwitchCore& owner, unsigned index, unsigned depth, Route route)
        : Receiver(depth), owner_(owner), index_(index), route_(std::move(route)) {}
    void push(Cycle at, Access& access) override { owner_.push(index_, at, access, route_(access)); }

   private:
    SwitchCore& owner_;
    unsigned index_;
    Route route_;
  };

  /// Outputs that share a link.
  struct Channels {
    SharedLink link;
    unsigned next = 0;  ///< output at which the round-robin search begins
  };

  SwitchCore(unsigned inputs, unsigned outputs, unsigned output_width, unsigned output_credits,
             unsigned virtual_channels);
  [[gnu::always_inline]] void push(unsigned input, Cycle at, Access& access, unsigned output) {
    if (packets_.empty()) return grow_and_push(input, at, access, output);
    Packet& packet = packets_.take();
    packet.access = &access;
    packet.arrival = static_cast<std::uint32_t>(at);
    packet.input = static_cast<std::uint16_t>(input);
    packet.output = static_cast<std::uint16_t>(output);
    calendar_.add(at, packet);
  }
  void grow_and_push(unsigned input, Cycle at, Access& access, unsigned output);
  void look_for_credits();
  // `choice`: how an OutputQueue chooses.
  template <OutputChoice choice>
  void run(Cycle from, Cycle until);
  template <OutputChoice choice, bool alone>
  void arrive(Packet& packet, Cycle now, Packet*& due);
  template <OutputChoice choice>
  void send(Packet& turn, Cycle now);
  template <OutputChoice choice>
  void send_channel(Packet& turn, Cycle now);
  void pass(Output& output, Packet& packet, Cycle now);
  void list(Packet& turn, Cycle at);

  unsigned virtual_channels_;       ///< consecutive outputs that share a link
  bool asks_ = false;               ///< outputs ask policies
  std::vector<Channels> channels_;  ///< one per link, if several outputs share one
  std::vector<std::unique_ptr<Receiver<Access>>> inputs_;
  std::vector<Output> outputs_;
  std::vector<Packet> turns_;     ///< turns of outputs with packets, in the calendar: packets without an access
  std::vector<Packet*> starved_;  ///< turns of outputs whose time to send is unknown
  std::vector<std::unique_ptr<Tap<FlitArbiterEvent>>> recorded_;
  PacketPool packets_;
  SwitchStatistics statistics_;
  Calendar<Packet> calendar_;
};

/// For the report of a deadlock: a line if the two switches of a unit hold packets.
std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies);

}  // namespace gputlm
