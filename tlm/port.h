/// Ports connect the ends of a link (tlm/link.h) to TLM-2.0 sockets, in the base protocol:
///
/// - BEGIN_REQ is annotated with the time at which the first flit reaches the receiver. END_REQ returns in the same call,
///   annotated with the time at which the last flit has passed: the link's occupancy. BEGIN_RESP and END_RESP do the same
///   on the way back.
/// - Credits stand for slots in the receiver's queue. They return a hop later in the ignorable phase CREDIT, on a separate
///   transaction: one per window, annotated with the time of the first credit.
///
/// A peer outside the model (Port::foreign()) knows no credits and may do all that the base protocol allows. A separate
/// module serves it: tlm/foreign_initiator.h or tlm/foreign_target.h.
#pragma once

#include <memory>
#include <string>
#include <tlm>

#include "tlm/foreign_initiator.h"
#include "tlm/foreign_target.h"
#include "tlm/port_base.h"

namespace gputlm {

/// The end of a link that sends requests and receives responses.
template <class Item>
class InitiatorPort final : public PortBase<Item>, private tlm::tlm_bw_transport_if<> {
  using Base = PortBase<Item>;

 public:
  tlm::tlm_initiator_socket<> socket;

  /// `requests` and `responses` are as wide and as deep as `link` says; std::logic_error if not.
  InitiatorPort(const std::string& name, Unit& owner, const Link& link, Outbox<Item>& requests,
                Receiver<Item>& responses, Passage passage = Passage::kEnd)
      : Base(owner, link, link.request, requests, link.response, responses, passage), socket(name.c_str()) {
    socket.bind(*this);
  }

  std::string name() const override { return socket.name(); }
  bool bound() override { return socket.get_base_port().bind_count() > 0; }

  void deliver(unsigned list) override {
    const auto fill = [this](tlm::tlm_generic_payload& payload, const Item& item) {
      if (this->passage_ == Passage::kEnd) fill_payload(payload, item);
    };
    if (this->foreign_) return foreign_target_->flush(fill);
    tlm::tlm_fw_nonblocking_transport_if<>& target = *socket.operator->();
    this->send(list, tlm::BEGIN_REQ, fill,
               [&](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                 target.nb_transport_fw(payload, phase, delay);
               });
  }

 private:
  void elaborate() override {
    if (!this->foreign_) return this->return_credits_in_batches();
    foreign_target_ =
        std::make_unique<ForeignTarget<Item>>((socket.basename() + std::string("_peer")).c_str(), *this, socket);
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (this->foreign_) return foreign_target_->nb_transport_bw(payload, phase, delay);
    if (phase == tlm::BEGIN_RESP) {
      phase = tlm::END_RESP;
      return this->take(payload, delay);
    }
    return this->take_credits(payload, phase, delay);
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  std::unique_ptr<ForeignTarget<Item>> foreign_target_;  ///< present if the peer is foreign
};

/// The end of a link that receives requests and sends responses. An initiator outside the model may also use b_transport,
/// and transport_dbg if there is data (serve()). It gets no direct memory interface, which would bypass the unit's order of
/// accesses and its timing.
template <class Item>
class TargetPort final : public PortBase<Item>, private tlm::tlm_fw_transport_if<> {
  using Base = PortBase<Item>;

 public:
  tlm::tlm_target_socket<> socket;

  /// `requests` and `responses` are as wide and as deep as `link` says; std::logic_error if not.
  TargetPort(const std::string& name, Unit& owner, const Link& link, Receiver<Item>& requests, Outbox<Item>& responses,
             Passage passage = Passage::kEnd)
      : Base(owner, link, link.response, responses, link.request, requests, passage), socket(name.c_str()) {
    socket.bind(*this);
  }

  /// Sets what an initiator outside the model may access; default: all addresses, no data. Before elaboration.
  void serve(const ServedMemory& memory) { memory_ = memory; }

  std::string name() const override { return socket.name(); }
  bool bound() override { return socket.get_base_port().bind_count() > 0; }

  void deliver(unsigned list) override {
    if (this->foreign_) return foreign_initiator_->flush();
    const auto answer = [this](tlm::tlm_generic_payload& payload, const Item&) {
      if (this->passage_ == Passage::kEnd) payload.set_response_status(tlm::TLM_OK_RESPONSE);
    };
    tlm::tlm_bw_nonblocking_transport_if<>& initiator = *socket.operator->();
    this->send(list, tlm::BEGIN_RESP, answer,
               [&](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
                 initiator.nb_transport_bw(payload, phase, delay);
               });
  }

 private:
  void elaborate() override {
    if (!this->foreign_) return this->return_credits_in_batches();
    foreign_initiator_ = std::make_unique<ForeignInitiator<Item>>((socket.basename() + std::string("_peer")).c_str(),
                                                                  *this, socket, memory_);
  }
  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (this->foreign_) return foreign_initiator_->nb_transport_fw(payload, phase, delay);
    if (phase == tlm::BEGIN_REQ) {
      phase = tlm::END_REQ;
      return this->take(payload, delay);
    }
    return this->take_credits(payload, phase, delay);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) override {
    foreign_initiator_->b_transport(payload, delay);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) override {
    dmi.init();
    return false;
  }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return memory_.debug(payload); }

  ServedMemory memory_;
  std::unique_ptr<ForeignInitiator<Item>> foreign_initiator_;  ///< present if the peer is foreign
};

/// Compiled once, in port.cpp: nearly all units use them.
extern template class InitiatorPort<Access>;
extern template class TargetPort<Access>;

}  // namespace gputlm
