/// What both kinds of port (tlm/port.h) do: stamp departures, stamp arrivals, return credits.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tlm>
#include <vector>

#include "tlm/link.h"
#include "tlm/payload.h"
#include "tlm/unit.h"

namespace gputlm {

/// Where the transactions of a port begin or end.
enum class Passage {
  kEnd,      ///< in its unit, which fills their attributes in (initiator) or sets their response status (target)
  kThrough,  ///< elsewhere: the unit passes them on
};

template <class Item>
class PortBase : public Port {
 public:
  void flush() override { deliver(hand_over()); }
  unsigned hand_over() override {
    if (foreign_) return filling_;  // whoever serves the peer takes things as they come
    const unsigned list = filling_;
    filling_ ^= 1;
    out_.fill(filling_);
    in_.fill(filling_);
    return list;
  }
  bool has(unsigned list) override { return !out_.departures(list).empty() || !in_.freed_slots(list).empty(); }

  // For what serves a peer outside the model.
  Outbox<Item>& out() { return out_; }
  Receiver<Item>& in() { return in_; }
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
  /// Before anything is sent to a peer outside the model, which grants no credits: there are as many as keep the link
  /// busy, for what is on it and on the way back, given back at the end of the phase.
  void grant_what_the_link_holds(const Link::Direction& direction) {
    out_.start_with(static_cast<unsigned>(link_.latency / std::max<Femtoseconds>(direction.flit, 1) + 2));
  }

 protected:
  /// `sends` and `receives`: the directions of the link that `out` and `in` are the ends of.
  PortBase(Unit& owner, const Link& link, const Link::Direction& sends, Outbox<Item>& out,
           const Link::Direction& receives, Receiver<Item>& in)
      : Port(owner, link), request_flit_(to_sc_time(link.request.flit)), response_flit_(to_sc_time(link.response.flit)),
        out_(out), in_(in), grant_(&credits_.allocate()) {
    if (out.width() != sends.width || out.credits() != sends.queue || in.depth() != receives.queue) {
      throw std::logic_error(std::string(owner.name()) + " has a port whose queues are not those of its link");
    }
    if (link.credit_batches > 0) credit_batch_ = std::max(1u, in.depth() / link.credit_batches);
  }

  static Item* item_of(tlm::tlm_generic_payload& payload) { return &pooled_item<Item>(payload); }
  /// Calls `send(transaction, time at the other end)` for the slots in a list, if their batches are full.
  template <class Send>
  void return_credits(unsigned list, Send send) {
    auto& freed = in_.freed_slots(list);
    if (freed.empty()) return;
    if (!std::is_sorted(freed.begin(), freed.end())) std::sort(freed.begin(), freed.end());
    auto& slots = grant_->slots;
    slots.clear();
    Cycle first = 0;
    for (const Cycle at : freed) {
      if (++unreported_ < credit_batch_) continue;
      if (slots.empty()) first = at;
      const Femtoseconds after = clock_.edge(at - first);
      if (!slots.empty() && slots.back().after == after) {
        slots.back().count += unreported_;
      } else {
        slots.push_back({after, unreported_});
      }
      unreported_ = 0;
    }
    freed.clear();
    if (!slots.empty()) send(*grant_->transaction, clock_.edge(first) + link_.latency);
  }
  /// Those of a grant that is annotated with `t`.
  void credits(Femtoseconds t, tlm::tlm_generic_payload& grant) {
    for (const auto& [after, count] : pooled_item<CreditGrant>(grant).slots) credit(t + after, count);
  }

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

  unsigned filling_ = 0;       ///< the list that departures and freed slots are noted in
  unsigned credit_batch_ = 1;  ///< freed slots reported together
  unsigned unreported_ = 0;
  PayloadPool<CreditGrant> credits_;
  CreditGrant* grant_;
};

}  // namespace gputlm
