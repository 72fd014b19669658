/// Ports join the plain ends of a link (tlm/link.h) to TLM-2.0 sockets, in the base protocol:
///
/// - BEGIN_REQ is annotated with the time at which the first flit reaches the receiver; END_REQ comes back in the call
///   itself, annotated with the time at which the last flit has passed: the link's occupancy. BEGIN_RESP and END_RESP
///   alike on the way back.
/// - Room in the receiver's queue is a matter of credits, returned a hop later in the ignorable phase CREDIT, on a
///   transaction of its own. A peer outside the model (Port::foreign()) knows no credits: a full target withholds its
///   END_REQ, and an initiator that withholds END_RESP is not sent another response.
#pragma once

#include <algorithm>
#include <list>
#include <stdexcept>
#include <string>
#include <tlm>
#include <vector>

#include "tlm/link.h"
#include "tlm/payload.h"
#include "tlm/unit.h"

namespace gputlm {

DECLARE_EXTENDED_PHASE(CREDIT);

/// Where the transactions of a port begin or end.
enum class Passage {
  kEnd,      ///< in its unit, which fills their attributes in (initiator) or sets their response status (target)
  kThrough,  ///< elsewhere: the unit passes them on
};

/// What both kinds of port do: stamp departures, stamp arrivals, return credits.
template <class Item>
class PortBase : public Port {
 protected:
  /// `sends` and `receives`: the directions of the link that `out` and `in` are the ends of.
  PortBase(Unit& owner, const Link& link, const Link::Direction& sends, Outbox<Item>& out,
           const Link::Direction& receives, Receiver<Item>& in)
      : Port(owner, link), request_flit_(to_sc_time(link.request.flit)), response_flit_(to_sc_time(link.response.flit)),
        out_(out), in_(in), credit_payload_(&credits_.allocate()) {
    if (out.width() != sends.width || out.credits() != sends.queue || in.depth() != receives.queue) {
      throw std::logic_error(std::string(owner.name()) + " has a port whose queues are not those of its link");
    }
    if (link.credit_batches > 0) credit_batch_ = std::max(1u, in.depth() / link.credit_batches);
  }

  static Item* item_of(tlm::tlm_generic_payload& payload) { return &pooled_item<Item>(payload); }
  /// Time at which a departure's first flit reaches the other end.
  Femtoseconds begins(std::uint64_t slot, Femtoseconds flit) const {
    const unsigned width = out_.width();
    if (width == 1) return clock_.edge(slot) + link_.latency;
    return clock_.edge(slot / width) + (slot % width) * flit + link_.latency;
  }
  /// Hands an item that has arrived completely at `end` to the core.
  void arrive(Femtoseconds end, Item& item) {
    const Cycle at = cycle_of(end);
    in_.push(at, item);
    owner_.wake(clock_.edge(at));
  }
  void credit(Femtoseconds t, unsigned count) {
    const Cycle at = cycle_of(t);
    const bool waited_for = out_.starved();
    out_.credit(at, count);
    if (waited_for) owner_.wake(clock_.edge(at));
  }
  /// Calls `send(time at the other end, count)` for each full batch of freed slots, in order of time.
  template <class Send>
  void return_credits(Send send) {
    auto& freed = in_.freed_slots();
    if (!std::is_sorted(freed.begin(), freed.end())) std::sort(freed.begin(), freed.end());
    for (const Cycle at : freed) {
      if (++unreported_ < credit_batch_) continue;
      send(clock_.edge(at) + link_.latency, unreported_);
      unreported_ = 0;
    }
    freed.clear();
  }
  tlm::tlm_generic_payload& credit_payload(unsigned count) {
    credit_payload_->count = count;
    return *credit_payload_->transaction;
  }
  static unsigned credits_in(tlm::tlm_generic_payload& payload) { return pooled_item<CreditGrant>(payload).count; }

  /// By additions: the conversion from a number is a call into the library.
  static void lengthen(sc_core::sc_time& delay, unsigned flits, const sc_core::sc_time& flit) {
    for (; flits > 0; --flits) delay += flit;
  }

  sc_core::sc_time request_flit_, response_flit_;
  Outbox<Item>& out_;
  Receiver<Item>& in_;

 private:
  /// Cycle from which on the core can use what comes at `t`.
  Cycle cycle_of(Femtoseconds t) const {
    if (t < owner_.computed_until()) t = late(t);
    return clock_.at_or_after(t);
  }
  void elaborate() final {
    if (foreign_) out_.start_with(1);  // the end of the phase gives it back
  }

  unsigned credit_batch_ = 1;  ///< freed slots reported together
  unsigned unreported_ = 0;
  PayloadPool<CreditGrant> credits_;
  CreditGrant* credit_payload_;
};

/// The end of a link that sends requests and receives responses.
template <class Item>
class InitiatorPort final : public PortBase<Item>, private tlm::tlm_bw_transport_if<> {
  using Base = PortBase<Item>;

 public:
  tlm::tlm_initiator_socket<> socket;

  /// `requests` and `responses` are as wide and as deep as `link` says; std::logic_error if not.
  InitiatorPort(const std::string& name, Unit& owner, const Link& link, Outbox<Item>& requests,
                Receiver<Item>& responses, Passage passage = Passage::kEnd)
      : Base(owner, link, link.request, requests, link.response, responses), socket(name.c_str()), passage_(passage) {
    socket.bind(*this);
  }

  std::string name() const override { return socket.name(); }
  bool bound() override { return socket.get_base_port().bind_count() > 0; }

  void flush() override {
    for (const auto& departure : this->out_.departures()) {
      auto& payload = *departure.item->transaction;
      if (passage_ == Passage::kEnd) fill_payload(payload, *departure.item);
      send(payload, this->begins(departure.slot, this->link_.request.flit));
    }
    this->out_.departures().clear();
    if (this->foreign_) {
      admit_parked();
      return;
    }
    this->return_credits([this](Femtoseconds at, unsigned count) {
      tlm::tlm_phase phase = CREDIT;
      sc_core::sc_time delay = to_sc_time(at - this->owner_.now());
      socket->nb_transport_fw(this->credit_payload(count), phase, delay);
    });
  }

 private:
  void send(tlm::tlm_generic_payload& payload, Femtoseconds at) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_sc_time(at - this->owner_.now());
    request_open_ = &payload;  // before the call: a foreign target may answer from inside it
    const tlm::tlm_sync_enum status = socket->nb_transport_fw(payload, phase, delay);
    const Femtoseconds then = this->owner_.now() + delay.value();
    if (status == tlm::TLM_COMPLETED) {
      if (accept(payload, then, true)) end_request(then);
    } else if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) {
      end_request(then);
    } else if (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) {
      end_request(then);
      const Femtoseconds end = response_end(payload, then);
      if (accept(payload, end, false)) end_response(payload, end);
    }
  }
  /// END_REQ, said or implied by the response. Our own targets give credits instead.
  void end_request(Femtoseconds at) {
    request_open_ = nullptr;
    if (this->foreign_) this->credit(at, 1);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const Femtoseconds at = this->owner_.now() + delay.value();
    if (phase == tlm::BEGIN_RESP) {
      if (request_open_ == &payload) end_request(at);
      const Femtoseconds end = response_end(payload, at);
      if (!accept(payload, end, false)) return tlm::TLM_ACCEPTED;
      phase = tlm::END_RESP;
      this->lengthen(delay, Base::item_of(payload)->flits, this->response_flit_);
      return tlm::TLM_UPDATED;
    }
    if (phase == CREDIT) {
      this->credit(at, Base::credits_in(payload));
    } else if (phase == tlm::END_REQ) {
      end_request(at);
    }
    return tlm::TLM_ACCEPTED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  Femtoseconds response_end(tlm::tlm_generic_payload& payload, Femtoseconds begin) const {
    return begin + Base::item_of(payload)->flits * this->link_.response.flit;
  }
  /// Queues a response that has arrived completely at `end`. A foreign target knows no credits: when the queue is full,
  /// the response is parked, its END_RESP (or, if it came as TLM_COMPLETED, the next request) withheld: false.
  bool accept(tlm::tlm_generic_payload& payload, Femtoseconds end, bool completed) {
    if (this->foreign_ && ++occupied_ > this->in_.depth()) {
      parked_.push({&payload, completed});
      return false;
    }
    this->arrive(end, *Base::item_of(payload));
    return true;
  }

  // What follows serves foreign targets only.

  void end_response(tlm::tlm_generic_payload& payload, Femtoseconds at) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay = to_sc_time(at - this->owner_.now());
    socket->nb_transport_fw(payload, phase, delay);
  }
  void admit_parked() {
    auto& freed = this->in_.freed_slots();
    std::sort(freed.begin(), freed.end());
    for (const Cycle at : freed) {
      --occupied_;
      if (parked_.empty()) continue;
      const Parked parked = parked_.pop();
      const Femtoseconds then = this->clock_.edge(at) + this->link_.latency;
      this->arrive(then, *Base::item_of(*parked.payload));
      parked.completed ? end_request(then) : end_response(*parked.payload, then);
    }
    freed.clear();
  }
  struct Parked {
    tlm::tlm_generic_payload* payload;
    bool completed;
  };

  Passage passage_;
  tlm::tlm_generic_payload* request_open_ = nullptr;  ///< whose END_REQ is still awaited
  unsigned occupied_ = 0;                             ///< responses queued or parked for a foreign target
  Ring<Parked> parked_{2};                            ///< by the exclusion rules, one of each kind at most
};

/// The end of a link that receives requests and sends responses. A foreign initiator may also use b_transport.
template <class Item>
class TargetPort final : public PortBase<Item>, private tlm::tlm_fw_transport_if<> {
  using Base = PortBase<Item>;

 public:
  tlm::tlm_target_socket<> socket;

  /// `requests` and `responses` are as wide and as deep as `link` says; std::logic_error if not.
  TargetPort(const std::string& name, Unit& owner, const Link& link, Receiver<Item>& requests, Outbox<Item>& responses,
             Passage passage = Passage::kEnd)
      : Base(owner, link, link.response, responses, link.request, requests), socket(name.c_str()), passage_(passage) {
    socket.bind(*this);
  }

  std::string name() const override { return socket.name(); }
  bool bound() override { return socket.get_base_port().bind_count() > 0; }

  void flush() override {
    for (const auto& departure : this->out_.departures()) {
      respond(*departure.item, this->begins(departure.slot, this->link_.response.flit));
    }
    this->out_.departures().clear();
    if (this->foreign_) {
      grant_end_requests();
      return;
    }
    this->return_credits([this](Femtoseconds at, unsigned count) {
      tlm::tlm_phase phase = CREDIT;
      sc_core::sc_time delay = to_sc_time(at - this->owner_.now());
      socket->nb_transport_bw(this->credit_payload(count), phase, delay);
    });
  }

 private:
  /// A b_transport call that waits for its response.
  struct Blocked {
    const Item* item;
    sc_core::sc_event event;
  };

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const Femtoseconds at = this->owner_.now() + delay.value();
    if (phase == CREDIT) {
      this->credit(at, Base::credits_in(payload));
      return tlm::TLM_ACCEPTED;
    }
    if (phase == tlm::END_RESP) {
      this->credit(at, 1);
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase of somebody else's
    Item& item = this->foreign_ ? adopt(payload) : pooled_item<Item>(payload);
    const Femtoseconds end = at + item.flits * this->link_.request.flit;
    if (this->foreign_ && ++occupied_ > this->in_.depth()) {
      waiting_ = &payload;  // enters the queue, and gets its END_REQ, when a slot is free
      return tlm::TLM_ACCEPTED;
    }
    this->arrive(end, item);
    phase = tlm::END_REQ;
    this->lengthen(delay, item.flits, this->request_flit_);
    return tlm::TLM_UPDATED;
  }

  void respond(Item& item, Femtoseconds at) {
    auto& payload = *item.transaction;
    if (passage_ == Passage::kEnd) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    for (Blocked* call : blocked_) {
      if (call->item != &item) continue;
      call->event.notify(to_sc_time(at + item.flits * this->link_.response.flit - this->owner_.now()));
      this->credit(at, 1);
      return;
    }
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = to_sc_time(at - this->owner_.now());
    const tlm::tlm_sync_enum status = socket->nb_transport_bw(payload, phase, delay);
    if (this->foreign_ && status != tlm::TLM_ACCEPTED) this->credit(this->owner_.now() + delay.value(), 1);
  }

  // What follows serves foreign initiators only.

  /// The item of a payload from outside: one that its owner gave it, or else one of ours, which goes when the payload's
  /// owner resets or deletes it.
  Item& adopt(tlm::tlm_generic_payload& payload);
  void grant_end_requests() {
    auto& freed = this->in_.freed_slots();
    std::sort(freed.begin(), freed.end());
    for (const Cycle at : freed) {
      --occupied_;
      if (!waiting_) continue;
      tlm::tlm_generic_payload& payload = *waiting_;
      waiting_ = nullptr;
      const Femtoseconds then = this->clock_.edge(at) + this->link_.latency;
      this->arrive(then, payload.get_extension<Carried<Item>>()->item);
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay = to_sc_time(then - this->owner_.now());
      socket->nb_transport_bw(payload, phase, delay);
    }
    freed.clear();
    slot_freed_.notify(sc_core::SC_ZERO_TIME);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    sc_core::wait(delay);
    delay = sc_core::SC_ZERO_TIME;
    while (occupied_ >= this->in_.depth()) sc_core::wait(slot_freed_);
    ++occupied_;
    Item& item = adopt(payload);
    Blocked call{&item, {}};
    blocked_.push_back(&call);
    this->arrive(this->owner_.now() + item.flits * this->link_.request.flit, item);
    sc_core::wait(call.event);
    blocked_.remove(&call);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload&) override { return 0; }

  Passage passage_;
  unsigned occupied_ = 0;  ///< queue slots taken by a foreign initiator
  tlm::tlm_generic_payload* waiting_ = nullptr;
  std::list<Blocked*> blocked_;
  sc_core::sc_event slot_freed_;
};

template <class Item>
Item& TargetPort<Item>::adopt(tlm::tlm_generic_payload& payload) {
  auto* carried = payload.get_extension<Carried<Item>>();
  if (!carried) {
    carried = new Carried<Item>;
    payload.has_mm() ? payload.set_auto_extension(carried) : payload.set_extension(carried);
  }
  adopt_fields(carried->item, payload);
  carried->item.transaction = &payload;
  return carried->item;
}

}  // namespace gputlm
