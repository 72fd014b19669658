/// The part of an initiator port that serves a target outside the model, which knows only the base protocol:
///
/// - A request begins when the one before it has ended: END_REQ releases the link, but not before the flits of the request
///   have passed. As many requests as the link holds may wait for it; beyond that the unit stalls.
/// - A response that finds the unit's queue full is parked: its END_RESP is withheld until there is room or, if it came
///   as TLM_COMPLETED, the next request.
/// - An error status ends the simulation (std::runtime_error): units of the model do not handle errors.
#pragma once

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>

#include "tlm/pending_arrivals.h"
#include "tlm/port_base.h"

namespace gputlm {

template <class Item>
class ForeignTarget final : public sc_core::sc_module {
 public:
  /// Serves the peer of `port`, whose socket is `socket`.
  ForeignTarget(const sc_core::sc_module_name& module_name, PortBase<Item>& port, tlm::tlm_initiator_socket<>& socket)
      : sc_module(module_name), port_(port), socket_(socket) {
    port.grant_what_the_link_holds(port.link().request);
    SC_HAS_PROCESS(ForeignTarget);
    SC_METHOD(send_requests);
    sensitive << request_can_begin_;
    dont_initialize();
  }

  /// To be called after each window that the unit has computed. `fill(payload, item)` fills in the payload of each
  /// departure.
  template <class Fill>
  void flush(Fill fill);
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);

 private:
  struct Request {
    tlm::tlm_generic_payload* payload;
    Femtoseconds begin;
    unsigned flits;
  };
  struct Parked {
    tlm::tlm_generic_payload* payload;
    Femtoseconds end;  ///< time at which it has arrived
    bool completed;
  };

  Femtoseconds now() { return port_.owner().now(); }
  void send_requests();
  void end_request(const tlm::tlm_generic_payload& payload, Femtoseconds at);
  Femtoseconds response_end(tlm::tlm_generic_payload& payload, Femtoseconds begin) const {
    return begin + pooled_item<Item>(payload).flits * port_.link().response.flit;
  }
  bool accept(tlm::tlm_generic_payload& payload, Femtoseconds end, bool completed);
  void end_response(tlm::tlm_generic_payload& payload, Femtoseconds at);
  void admit_parked();
  void deliver() {
    arrivals_.deliver(port_, [](Item&) {});
  }

  PortBase<Item>& port_;
  tlm::tlm_initiator_socket<>& socket_;
  std::deque<Request> requests_;                      ///< requests that wait for the link
  tlm::tlm_generic_payload* request_open_ = nullptr;  ///< request whose END_REQ is awaited
  Femtoseconds request_passed_ = 0;                   ///< time at which its flits have passed
  Femtoseconds request_link_free_ = 0;
  bool sending_ = false;
  sc_core::sc_event request_can_begin_;

  PendingArrivals<Item> arrivals_;
  unsigned occupied_ = 0;   ///< number of responses queued, on their way, or parked
  Ring<Parked> parked_{2};  ///< parked responses: by the exclusion rules, at most one of each kind
};

template <class Item>
template <class Fill>
void ForeignTarget<Item>::flush(Fill fill) {
  for (const auto& departure : port_.out().departures()) {
    Item& item = *departure.item;
    fill(*item.transaction, item);
    requests_.push_back({item.transaction, port_.begins(departure), item.flits});
  }
  port_.out().departures().clear();
  admit_parked();
  deliver();
  send_requests();
}

/// Kept out of the port's own function, which serves nearly all calls.
template <class Item>
[[gnu::noinline]] tlm::tlm_sync_enum ForeignTarget<Item>::nb_transport_bw(tlm::tlm_generic_payload& payload,
                                                                          tlm::tlm_phase& phase,
                                                                          sc_core::sc_time& delay) {
  const Femtoseconds at = now() + delay.value();
  if (phase == tlm::END_REQ) end_request(payload, at);
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  end_request(payload, at);
  const Femtoseconds end = response_end(payload, at);
  if (!accept(payload, end, false)) return tlm::TLM_ACCEPTED;
  deliver();
  phase = tlm::END_RESP;
  delay = to_sc_time(end - now());
  return tlm::TLM_UPDATED;
}

template <class Item>
void ForeignTarget<Item>::send_requests() {
  if (sending_) return;  // END_REQ has come from inside the call
  sending_ = true;
  while (!request_open_ && !requests_.empty()) {
    const Request request = requests_.front();
    requests_.pop_front();
    tlm::tlm_generic_payload& payload = *request.payload;
    const Femtoseconds begin = std::max({request.begin, request_link_free_, now()});
    request_passed_ = begin + request.flits * port_.link().request.flit;
    request_open_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = to_sc_time(begin - now());
    const tlm::tlm_sync_enum status = socket_->nb_transport_fw(payload, phase, delay);
    const Femtoseconds then = now() + delay.value();
    if (status == tlm::TLM_COMPLETED) {
      if (accept(payload, then, true)) end_request(payload, then);
    } else if (status == tlm::TLM_UPDATED) {
      end_request(payload, then);
      if (phase != tlm::BEGIN_RESP) continue;
      const Femtoseconds end = response_end(payload, then);
      if (accept(payload, end, false)) end_response(payload, end);
    }
  }
  sending_ = false;
  deliver();
}

/// END_REQ, explicit or implied by the response.
template <class Item>
void ForeignTarget<Item>::end_request(const tlm::tlm_generic_payload& payload, Femtoseconds at) {
  if (request_open_ != &payload) return;
  request_open_ = nullptr;
  request_link_free_ = std::max(at, request_passed_);
  port_.credit(request_link_free_, 1);
  if (!requests_.empty()) request_can_begin_.notify(sc_core::SC_ZERO_TIME);
}

/// Gives a response that has fully arrived at `end` a place in the unit's queue; false if there is none.
template <class Item>
bool ForeignTarget<Item>::accept(tlm::tlm_generic_payload& payload, Femtoseconds end, bool completed) {
  if (payload.is_response_error()) {
    throw std::runtime_error(port_.name() + ": " + payload.get_response_string() + " to " +
                             (payload.is_read() ? "a read" : "a write") + " of " +
                             std::to_string(payload.get_data_length()) + " bytes at address " +
                             std::to_string(payload.get_address()));
  }
  if (++occupied_ > port_.in().depth()) {
    parked_.push({&payload, end, completed});
    return false;
  }
  arrivals_.add(end, pooled_item<Item>(payload));
  return true;
}

template <class Item>
void ForeignTarget<Item>::end_response(tlm::tlm_generic_payload& payload, Femtoseconds at) {
  tlm::tlm_phase phase = tlm::END_RESP;
  sc_core::sc_time delay = to_sc_time(at - now());
  socket_->nb_transport_fw(payload, phase, delay);
}

template <class Item>
void ForeignTarget<Item>::admit_parked() {
  auto& freed = port_.in().freed_slots();
  std::size_t room = freed.size();
  freed.clear();
  for (; room > 0; --room) {
    --occupied_;
    if (parked_.empty()) continue;
    const Parked parked = parked_.pop();
    const Femtoseconds then = std::max(parked.end, port_.owner().computed_until());
    arrivals_.add(then, pooled_item<Item>(*parked.payload));
    parked.completed ? end_request(*parked.payload, then) : end_response(*parked.payload, then);
  }
}

}  // namespace gputlm
