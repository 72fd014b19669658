/// The common part of both kinds of port (tlm/port.h): stamps departures and arrivals, returns credits.
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

/// Returns credits: an ignorable phase of the model (tlm/port.h).
DECLARE_EXTENDED_PHASE(CREDIT);

/// Where the transactions of a port begin or end.
enum class Passage {
  kEnd,      ///< in its unit, which fills in their attributes (initiator) or sets their response status (target)
  kThrough,  ///< elsewhere: the unit passes them on
};

template <class Item>
class PortBase : public Port {
 public:
  using Departure = typename Outbox<Item>::Departure;

  /// Delivers the list that is being filled: no unit computes meanwhile, so the other list is not needed.
  void flush() final {
    deliver(filling_);
    if (foreign_) mark().set();  // its peer may need service after every window
  }
  unsigned hand_over() final {
    const unsigned list = filling_;
    filling_ ^= 1;
    out_.fill(filling_);
    in_.fill(filling_);
    return list;
  }

  // For the modules that serve a peer outside the model.
  Outbox<Item>& out() { return out_; }
  Receiver<Item>& in() { return in_; }
  /// Time at which a departure's first flit reaches the other end.
  Femtoseconds begins(const Departure& departure) const {
    return departure.slot * sends_.flit + departure.cycle * between_cycles_ + link_.latency;
  }
  /// Hands an item that has fully arrived at `end` to the core. Times do not decrease from call to call, so only the first
  /// one after a window needs to wake the unit.
  void arrive(Femtoseconds end, Item& item) {
    const Femtoseconds computed = owner_.computed_until();
    if (woken_after_ != computed || end < computed) return arrive_first(end, item);
    in_.push(clock_.edge_from(end), item);
  }
  void credit(Femtoseconds t, unsigned count) { out_.credit(credited_from(t), count); }
  /// For a peer outside the model, which grants no credits; before anything is sent. Grants enough to keep the link busy
  /// in both directions; each returns at the end of the phase.
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

  /// Calls `call(transaction, phase, delay)` of the peer for all entries of a list: with `begin` for each departure, after
  /// `prepare(payload, item)`, and then for the credits.
  template <class Prepare, class Call>
  void send(unsigned list, tlm::tlm_phase_enum begin, Prepare prepare, Call call) {
    const Femtoseconds now = owner_.now();
    for (const Departure& departure : out_.departures(list)) {
      tlm::tlm_generic_payload& payload = *departure.item->transaction;
      prepare(payload, *departure.item);
      tlm::tlm_phase phase = begin;
      sc_core::sc_time delay = to_sc_time(begins(departure) - now);
      call(payload, phase, delay);  // the end that it returns follows from the link
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

  /// Hands over the item that begins with a call; it also ends in this call, as the return value says.
  tlm::tlm_sync_enum take(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    Item& item = pooled_item<Item>(payload);
    const Femtoseconds passed = delay.value() + item.flits * receives_.flit;
    delay = to_sc_time(passed);
    arrive(owner_.now() + passed, item);
    return tlm::TLM_UPDATED;
  }
  /// The only other phase of a unit of the model: credits.
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
  /// Sets how freed slots return, as the link says; none return to a peer outside the model.
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
  /// The cycle from which credits that arrive at `t` can be used. Wakes the unit if it waits for them.
  Cycle credited_from(Femtoseconds t) {
    if (t < owner_.computed_until()) t = late(t);
    const Cycle at = clock_.edge_from(t);
    if (out_.starved()) owner_.wake(clock_.edge(at));
    return at;
  }
  /// Handles the first arrival since a window was computed, or a late one. Kept out of arrive(), which handles most
  /// arrivals.
  [[gnu::noinline]] void arrive_first(Femtoseconds end, Item& item) {
    if (end < owner_.computed_until()) end = late(end);
    const Cycle at = clock_.at_or_after(end);
    woken_after_ = owner_.computed_until();
    owner_.wake(clock_.edge(at));
    in_.push(at, item);
  }

  Link::Direction sends_, receives_;
  Femtoseconds between_cycles_;        ///< time from the end of a cycle's last flit to the next cycle, when sending
  Femtoseconds woken_after_ = kNever;  ///< computed_until() when an arrival last woke the unit
  unsigned filling_ = 0;               ///< number of the list to which departures and freed slots are added
  PayloadPool<CreditGrant> credits_;
  CreditGrant* grant_;
};

}  // namespace gputlm
