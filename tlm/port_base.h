/// What both kinds of port (tlm/port.h) do: stamp departures, stamp arrivals, return credits.
#pragma once

#include <algorithm>
#include <cassert>
#include <stdexcept>
#include <string>
#include <tlm>
#include <vector>

#include "tlm/link.h"
#include "tlm/payload.h"
#include "tlm/unit.h"

namespace gputlm {

/// Queue slots come back: an ignorable phase of the model's own (tlm/port.h).
DECLARE_EXTENDED_PHASE(CREDIT);

/// Where the transactions of a port begin or end.
enum class Passage {
  kEnd,      ///< in its unit, which fills their attributes in (initiator) or sets their response status (target)
  kThrough,  ///< elsewhere: the unit passes them on
};

template <class Item>
class PortBase : public Port {
 public:
  using Departure = typename Outbox<Item>::Departure;

  /// In the list that is filled: as no unit computes meanwhile, there is no need for the other one.
  void flush() final {
    deliver(filling_);
    if (foreign_) mark().set();  // the code that serves the peer takes things as they come
  }
  unsigned hand_over() final {
    const unsigned list = filling_;
    filling_ ^= 1;
    out_.fill(filling_);
    in_.fill(filling_);
    return list;
  }

  // For what serves a peer outside the model.
  Outbox<Item>& out() { return out_; }
  Receiver<Item>& in() { return in_; }
  /// Time at which a departure's first flit reaches the other end.
  Femtoseconds begins(const Departure& departure) const {
    return departure.slot * sends_.flit + departure.cycle * between_cycles_ + link_.latency;
  }
  /// Hands an item that has arrived completely at `end` to the core. Times do not go back from call to call: the first
  /// one after a window has been computed is when the unit has work at the latest.
  void arrive(Femtoseconds end, Item& item) {
    const Femtoseconds computed = owner_.computed_until();
    if (woken_after_ != computed || end < computed) return arrive_first(end, item);
    in_.push(clock_.edge_from(end), item);
  }
  void credit(Femtoseconds t, unsigned count) { out_.credit(credited_from(t), count); }
  /// Before anything is sent to a peer outside the model, which grants no credits: there are as many as keep the link
  /// busy, for what is on it and on the way back, given back at the end of the phase.
  void grant_what_the_link_holds(const Link::Direction& direction) {
    out_.start_with(static_cast<unsigned>(link_.latency / std::max<Femtoseconds>(direction.flit, 1) + 2));
  }

 protected:
  /// `sends` and `receives`: the directions of the link that `out` and `in` are the ends of.
  PortBase(Unit& owner, const Link& link, const Link::Direction& sends, Outbox<Item>& out,
           const Link::Direction& receives, Receiver<Item>& in, Passage passage)
      : Port(owner, link), out_(out), in_(in), passage_(passage), sends_(sends), receives_(receives),
        between_cycles_(clock_.period() - sends.width * sends.flit), grant_(&credits_.allocate()) {
    if (out.width() != sends.width || out.credits() != sends.queue || in.depth() != receives.queue) {
      throw std::logic_error(std::string(owner.name()) + " has a port whose queues are not those of its link");
    }
    grant_->cycle = clock_.period();
    owner.add(*this);
  }

  /// Calls `call(transaction, phase, delay)` of the peer for all that is in a list: with `begin` for what left, after
  /// `prepare(payload, item)`, and then for the credits.
  template <class Prepare, class Call>
  void send(unsigned list, tlm::tlm_phase_enum begin, Prepare prepare, Call call) {
    const Femtoseconds now = owner_.now();
    for (const Departure& departure : out_.departures(list)) {
      tlm::tlm_generic_payload& payload = *departure.item->transaction;
      prepare(payload, *departure.item);
      tlm::tlm_phase phase = begin;
      sc_core::sc_time delay = to_sc_time(begins(departure) - now);
      call(payload, phase, delay);  // the end of it says no more than the link does
    }
    out_.departures(list).clear();
    auto& freed = in_.freed_slots(list);
    if (freed.empty()) return;
    assert(std::is_sorted(freed.begin(), freed.end()));
    grant_->freed = &freed;
    tlm::tlm_phase phase = CREDIT;
    sc_core::sc_time delay = to_sc_time(clock_.edge(freed.front()) + link_.latency - now);
    call(*grant_->transaction, phase, delay);
    freed.clear();
  }

  /// What begins with a call is handed over, and ends in it, as the return value is to say.
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    Item& item = pooled_item<Item>(payload);
    const Femtoseconds passed = delay.value() + item.flits * receives_.flit;
    delay = to_sc_time(passed);
    arrive(owner_.now() + passed, item);
    return tlm::TLM_UPDATED;
  }
  /// Of the phases of a unit of the model there is one more: credits.
  [[gnu::noinline]] tlm::tlm_sync_enum take_credits(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                                                    const sc_core::sc_time& delay) {
    if (phase != CREDIT) return tlm::TLM_ACCEPTED;
    const auto& grant = pooled_item<CreditGrant>(payload);
    const Femtoseconds first = owner_.now() + delay.value();
    const Cycle at = credited_from(first), from = grant.freed->front();
    for (const Cycle freed : *grant.freed) {
      const Cycle later = freed - from;  // in cycles of the sender's clock, which nearly always is the receiver's too
      out_.credit(grant.cycle == clock_.period() ? at + later : clock_.edge_from(first + later * grant.cycle),
                  grant.each);
    }
    return tlm::TLM_ACCEPTED;
  }
  /// The receiver's freed slots come back as the link says; to a peer outside the model none do.
  void return_credits_in_batches() {
    const unsigned batches = link_.credit_batches;
    if (batches > 0) in_.report_in_batches_of(std::max(1u, in_.depth() / batches));
    grant_->each = in_.batch();
  }

  Outbox<Item>& out_;
  Receiver<Item>& in_;
  const Passage passage_;

 private:
  void mark_moved() final {
    out_.mark_with(mark());
    in_.mark_with(mark());
  }
  /// Cycle from which on credits that come at `t` can be used. If they are what the unit waits for, it learns of them.
  Cycle credited_from(Femtoseconds t) {
    if (t < owner_.computed_until()) t = late(t);
    const Cycle at = clock_.edge_from(t);
    if (out_.starved()) owner_.wake(clock_.edge(at));
    return at;
  }
  /// The first since a window has been computed, or one that is late. Apart from arrive(), which most arrivals pass.
  [[gnu::noinline]] void arrive_first(Femtoseconds end, Item& item) {
    if (end < owner_.computed_until()) end = late(end);
    const Cycle at = clock_.at_or_after(end);
    woken_after_ = owner_.computed_until();
    owner_.wake(clock_.edge(at));
    in_.push(at, item);
  }

  Link::Direction sends_, receives_;
  Femtoseconds between_cycles_;        ///< of what is sent: from the end of a cycle's last flit to the next cycle
  Femtoseconds woken_after_ = kNever;  ///< computed_until() when the unit was last told of an arrival
  unsigned filling_ = 0;               ///< the list that departures and freed slots are noted in
  PayloadPool<CreditGrant> credits_;
  CreditGrant* grant_;
};

}  // namespace gputlm
