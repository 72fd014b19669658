/// The part of a target port that serves an initiator outside the model, which knows only the base protocol:
///
/// - A transaction is cut into segments (tlm/segments.h), which enter the unit's queue one by one as there is room. END_REQ
///   is annotated with the time at which the last segment has passed the link, and is withheld until that segment has a
///   place in the queue. The transaction is answered when all segments have ended.
/// - A response begins when the one before it has ended: END_RESP releases the link, but not before the flits of the
///   response have passed. As many responses as the link holds may wait for it; beyond that the unit stalls.
/// - b_transport is served alongside nb_transport: it waits for its delay, for room, and for its answer.
/// - Data is read and written segment by segment, in the order in which segments arrive at the unit's queue. Units keep the
///   order of accesses to the same address, so they are also served in this order.
/// - A transaction that is rejected (tlm/served_memory.h) or moves no data takes a flit each way and the hop back, and
///   holds a place in the queue until its response has ended.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <systemc>
#include <tlm>
#include <vector>

#include "tlm/pending_arrivals.h"
#include "tlm/port_base.h"
#include "tlm/segments.h"

namespace gputlm {

template <class Item>
class ForeignInitiator final : public sc_core::sc_module {
 public:
  /// Serves the peer of `port`, whose socket is `socket`. `memory` outlives it.
  ForeignInitiator(const sc_core::sc_module_name& module_name, PortBase<Item>& port, tlm::tlm_target_socket<>& socket,
                   const ServedMemory& memory)
      : sc_module(module_name), port_(port), socket_(socket), memory_(memory) {
    port.grant_what_the_link_holds(port.link().response);
    SC_HAS_PROCESS(ForeignInitiator);
    SC_METHOD(send_responses);
    sensitive << response_can_begin_;
    dont_initialize();
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  /// To be called after each window that the unit has computed.
  void flush();

 private:
  struct Transaction {
    tlm::tlm_generic_payload* payload = nullptr;  ///< null once its caller is gone (b_transport only)
    std::optional<Segments<Item>> segments;
    Femtoseconds at = 0;        ///< time at which it begins; later, at which its latest segment has passed the link
    Femtoseconds response = 0;  ///< time at which its response can begin
    unsigned response_flits = 1;
    unsigned under_way = 0;  ///< number of segments in the unit or on their way to it
    bool empty = false;      ///< it has no segments: rejected, or moves no data
    bool admitted = false;   ///< its last segment has a place in the queue
    bool in_call = false;    ///< its BEGIN_REQ has not returned
    bool blocking = false;   ///< a b_transport call, which waits for `answer`
    bool answered = false;   ///< `answer` has been notified
    sc_core::sc_event answer;
  };
  /// A segment's payload.
  class Segment final : public PooledPayload<Item> {
   public:
    using PooledPayload<Item>::PooledPayload;
    Transaction* transaction = nullptr;
    Bytes offset = 0;  ///< offset in the transaction's data array
  };
  static Segment& segment_of(Item& item) { return static_cast<Segment&>(*item.transaction); }

  Femtoseconds now() { return port_.owner().now(); }
  Transaction& begin(tlm::tlm_generic_payload& payload, Femtoseconds at);
  void recycle(Transaction& transaction) { free_.push_back(&transaction); }
  void admit(Femtoseconds from);
  bool enter(Transaction& transaction, Femtoseconds from);
  void pass_link(Transaction& transaction, unsigned flits, Femtoseconds from);
  void end_request(Transaction& transaction);
  void ended(Item& item, Femtoseconds begins);
  void respond(Transaction& transaction);
  void send_responses();
  void end_response(Femtoseconds at);
  void give_back(Transaction& transaction, Femtoseconds at);
  void leave(Transaction& transaction);

  PortBase<Item>& port_;
  tlm::tlm_target_socket<>& socket_;
  const ServedMemory& memory_;
  std::deque<Transaction> transactions_;  ///< all transactions; recycled, never moved
  std::vector<Transaction*> free_;
  PayloadPool<Item, Segment> segments_;

  std::deque<Transaction*> waiting_;  ///< those that wait for room in the unit's queue, in order of time
  unsigned occupied_ = 0;             ///< number of places taken in the queue
  PendingArrivals<Item> arrivals_;
  Femtoseconds blocking_link_free_ = 0;  ///< when the link is free for b_transport, to which no exclusion rule applies

  std::deque<Transaction*> responses_;  ///< those whose response waits for the link, in order of time
  Transaction* responding_ = nullptr;   ///< transaction whose END_RESP is awaited
  Femtoseconds response_began_ = 0;     ///< time at which its response began
  Femtoseconds response_link_free_ = 0;
  Femtoseconds credited_ = 0;
  bool sending_ = false;
  sc_core::sc_event response_can_begin_;
};

/// Kept out of the port's own function, which serves nearly all calls.
template <class Item>
[[gnu::noinline]] tlm::tlm_sync_enum ForeignInitiator<Item>::nb_transport_fw(tlm::tlm_generic_payload& payload,
                                                                             tlm::tlm_phase& phase,
                                                                             sc_core::sc_time& delay) {
  const Femtoseconds at = now() + delay.value();
  if (phase == tlm::END_RESP) {
    if (responding_ && responding_->payload == &payload) end_response(at);
    return tlm::TLM_COMPLETED;
  }
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // an ignorable phase
  if (payload.has_mm()) payload.acquire();                // keeping it beyond the call requires this (14.5)
  Transaction& transaction = begin(payload, at);
  transaction.in_call = true;
  admit(0);
  transaction.in_call = false;
  if (!transaction.admitted) return tlm::TLM_ACCEPTED;
  phase = tlm::END_REQ;
  delay = to_sc_time(transaction.at - now());
  return tlm::TLM_UPDATED;
}

template <class Item>
void ForeignInitiator<Item>::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (delay != sc_core::SC_ZERO_TIME) sc_core::wait(delay);
  delay = sc_core::SC_ZERO_TIME;
  Transaction& transaction = begin(payload, now());
  transaction.blocking = true;
  struct Leave {  // also when the calling thread is killed
    ~Leave() { server.leave(transaction); }
    ForeignInitiator& server;
    Transaction& transaction;
  } const leaves{*this, transaction};
  admit(0);
  sc_core::wait(transaction.answer);
}

template <class Item>
void ForeignInitiator<Item>::flush() {
  for (const auto& departure : port_.out().departures()) ended(*departure.item, port_.begins(departure));
  port_.out().departures().clear();
  occupied_ -= static_cast<unsigned>(port_.in().freed_slots().size());
  port_.in().freed_slots().clear();
  admit(port_.owner().computed_until());
  send_responses();
}

// Requests.

template <class Item>
typename ForeignInitiator<Item>::Transaction& ForeignInitiator<Item>::begin(tlm::tlm_generic_payload& payload,
                                                                            Femtoseconds at) {
  if (free_.empty()) free_.push_back(&transactions_.emplace_back());
  Transaction& transaction = *free_.back();
  free_.pop_back();
  transaction.payload = &payload;
  transaction.segments.emplace(payload, memory_);
  transaction.at = at;
  transaction.under_way = 0;
  transaction.empty = !transaction.segments->left();
  transaction.admitted = transaction.blocking = transaction.answered = false;
  const auto later = std::upper_bound(waiting_.begin(), waiting_.end(), at,
                                      [](Femtoseconds t, const Transaction* other) { return t < other->at; });
  waiting_.insert(later, &transaction);
  return transaction;
}

/// Gives waiting transactions places in the unit's queue, which they enter at `from` at the earliest.
template <class Item>
void ForeignInitiator<Item>::admit(Femtoseconds from) {
  while (!waiting_.empty() && enter(*waiting_.front(), from)) {
    Transaction& transaction = *waiting_.front();
    waiting_.pop_front();
    transaction.admitted = true;
    end_request(transaction);
  }
  arrivals_.deliver(port_, [](Item& item) {
    const Segment& segment = segment_of(item);
    segment.transaction->segments->arrives(item, segment.offset);
  });
}

/// Enters as many segments of the transaction as there is room for; true if those were the last.
template <class Item>
bool ForeignInitiator<Item>::enter(Transaction& transaction, Femtoseconds from) {
  while (transaction.empty || transaction.segments->left()) {
    if (occupied_ == port_.in().depth()) return false;
    ++occupied_;
    if (transaction.empty) {
      pass_link(transaction, 1, from);
      return true;
    }
    Item& item = segments_.allocate();
    Segment& segment = segment_of(item);
    segment.transaction = &transaction;
    segment.offset = transaction.segments->next(item);
    ++transaction.under_way;
    pass_link(transaction, item.flits, from);
    arrivals_.add(transaction.at, item);
  }
  return true;
}

template <class Item>
void ForeignInitiator<Item>::pass_link(Transaction& transaction, unsigned flits, Femtoseconds from) {
  if (transaction.blocking) transaction.at = std::max(transaction.at, blocking_link_free_);
  transaction.at = std::max(transaction.at + flits * port_.link().request.flit, from);
  if (transaction.blocking) blocking_link_free_ = transaction.at;
}

template <class Item>
void ForeignInitiator<Item>::end_request(Transaction& transaction) {
  if (transaction.empty) {
    transaction.response = transaction.at + port_.link().latency;
    transaction.response_flits = 1;
    respond(transaction);
  }
  if (transaction.blocking || transaction.in_call) return;
  tlm::tlm_phase phase = tlm::END_REQ;
  sc_core::sc_time delay = to_sc_time(transaction.at - now());
  socket_->nb_transport_bw(*transaction.payload, phase, delay);
}

// Responses.

/// The unit has answered a segment.
template <class Item>
void ForeignInitiator<Item>::ended(Item& item, Femtoseconds begins) {
  Transaction& transaction = *segment_of(item).transaction;
  transaction.segments->ended(item);
  transaction.response = begins;
  transaction.response_flits = item.flits;
  segments_.release(item);
  --transaction.under_way;
  if (transaction.under_way > 0 || transaction.segments->left()) {
    give_back(transaction, begins);
  } else {
    respond(transaction);
  }
}

template <class Item>
void ForeignInitiator<Item>::respond(Transaction& transaction) {
  if (!transaction.blocking) {
    const auto later = std::upper_bound(responses_.begin(), responses_.end(), transaction.response,
                                        [](Femtoseconds t, const Transaction* other) { return t < other->response; });
    responses_.insert(later, &transaction);
    response_can_begin_.notify(sc_core::SC_ZERO_TIME);
    return;
  }
  const Femtoseconds end = transaction.response + transaction.response_flits * port_.link().response.flit;
  give_back(transaction, end);
  if (!transaction.payload) return recycle(transaction);
  transaction.payload->set_response_status(transaction.segments->status());
  transaction.answered = true;
  transaction.answer.notify(to_sc_time(end - now()));
}

template <class Item>
void ForeignInitiator<Item>::send_responses() {
  if (sending_) return;  // END_RESP has come from inside the call
  sending_ = true;
  while (!responding_ && !responses_.empty()) {
    Transaction* const transaction = responding_ = responses_.front();
    responses_.pop_front();
    response_began_ = std::max({transaction->response, response_link_free_, now()});
    transaction->payload->set_response_status(transaction->segments->status());
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = to_sc_time(response_began_ - now());
    const tlm::tlm_sync_enum status = socket_->nb_transport_bw(*transaction->payload, phase, delay);
    if (status != tlm::TLM_ACCEPTED && responding_ == transaction) end_response(now() + delay.value());
  }
  sending_ = false;
}

template <class Item>
void ForeignInitiator<Item>::end_response(Femtoseconds at) {
  Transaction& transaction = *responding_;
  responding_ = nullptr;
  response_link_free_ = std::max(at, response_began_ + transaction.response_flits * port_.link().response.flit);
  give_back(transaction, response_link_free_);
  tlm::tlm_generic_payload& payload = *transaction.payload;
  recycle(transaction);
  if (!responses_.empty()) response_can_begin_.notify(sc_core::SC_ZERO_TIME);
  if (payload.has_mm()) payload.release();
}

/// Returns what an answered segment held: a slot of the link, or a place in the queue if the transaction has no segments.
template <class Item>
void ForeignInitiator<Item>::give_back(Transaction& transaction, Femtoseconds at) {
  if (transaction.empty) {
    --occupied_;
    port_.owner().wake(at);
  } else {
    credited_ = std::max(credited_, at);
    port_.credit(credited_, 1);
  }
}

/// A b_transport call is over: it has been answered, or its thread has been killed.
template <class Item>
void ForeignInitiator<Item>::leave(Transaction& transaction) {
  if (transaction.answered) return recycle(transaction);
  transaction.payload = nullptr;
  transaction.segments->abandon();
  if (transaction.admitted) return;
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &transaction));
  if (transaction.under_way == 0) recycle(transaction);
}

}  // namespace gputlm
