#include "tlm/checker.h"

#include "tlm/port.h"

namespace gputlm {

namespace {

/// Simulated time plus delay. A sender that computes "then - now" for a time already past wraps around.
sc_core::sc_time annotated(const sc_core::sc_time& delay) { return sc_core::sc_time_stamp() + delay; }

}  // namespace

ProtocolChecker::Attributes::Attributes(const tlm::tlm_generic_payload& payload)
    : command(payload.get_command()), data(payload.get_data_ptr()), length(payload.get_data_length()),
      byte_enables(payload.get_byte_enable_ptr()), byte_enable_length(payload.get_byte_enable_length()),
      streaming_width(payload.get_streaming_width()) {}

bool ProtocolChecker::Attributes::operator==(const Attributes& other) const {
  return command == other.command && data == other.data && length == other.length &&
         byte_enables == other.byte_enables && byte_enable_length == other.byte_enable_length &&
         streaming_width == other.streaming_width;
}

void ProtocolChecker::Exclusion::end(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  if (open != &payload) return;
  open = nullptr;
  ended = at;
}

ProtocolChecker::ProtocolChecker(const sc_core::sc_module_name& name)
    : sc_module(name), target("target"), initiator("initiator") {
  target.bind(*this);
  initiator.bind(*this);
}

void ProtocolChecker::violation(const sc_core::sc_time& at, const std::string& what, const char* clause) {
  ++violation_count_;
  if (violations_.size() == kRecorded) return;
  violations_.push_back(at.to_string() + " " + name() + ": " + what + " (IEEE 1666-2011, " + clause + ")");
}

// Calls.

tlm::tlm_sync_enum ProtocolChecker::nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  return pass(kForward, payload, phase, delay, [&] { return initiator->nb_transport_fw(payload, phase, delay); });
}

tlm::tlm_sync_enum ProtocolChecker::nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                                    sc_core::sc_time& delay) {
  return pass(kBackward, payload, phase, delay, [&] { return target->nb_transport_bw(payload, phase, delay); });
}

template <class Forward>
tlm::tlm_sync_enum ProtocolChecker::pass(Path path, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                         sc_core::sc_time& delay, Forward forward) {
  const tlm::tlm_phase called = phase;
  // The call changes it. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
  const sc_core::sc_time called_delay = delay;
  if (payload.has_mm() && payload.get_ref_count() == 0) {
    violation(annotated(delay), "nb_transport of a payload that nobody holds", "14.5");
  }
  transition(path, payload, phase, delay);
  const tlm::tlm_sync_enum status = forward();
  check_return(path, payload, called, called_delay, status, phase, delay);
  return status;
}

void ProtocolChecker::check_return(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& called,
                                   const sc_core::sc_time& called_delay, tlm::tlm_sync_enum status,
                                   const tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
  const sc_core::sc_time at = annotated(delay);
  switch (status) {
    case tlm::TLM_ACCEPTED:
      if (phase != called || delay != called_delay) {
        violation(at, "TLM_ACCEPTED with a changed phase or delay", "11.1.2");
      }
      return;
    case tlm::TLM_UPDATED: transition(path == kForward ? kBackward : kForward, payload, phase, delay); return;
    case tlm::TLM_COMPLETED: complete(payload, called, at); return;
  }
}

void ProtocolChecker::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  open(payload, State::kBlocking, annotated(delay));
  initiator->b_transport(payload, delay);
  if (const auto entry = live_.find(&payload); entry != live_.end()) {
    advance_time(entry->second, annotated(delay));
    check_response(entry->second, payload, annotated(delay));
    live_.erase(entry);
  }
}

bool ProtocolChecker::get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& dmi) {
  return initiator->get_direct_mem_ptr(payload, dmi);
}

unsigned ProtocolChecker::transport_dbg(tlm::tlm_generic_payload& payload) { return initiator->transport_dbg(payload); }

void ProtocolChecker::invalidate_direct_mem_ptr(sc_dt::uint64 start, sc_dt::uint64 end) {
  target->invalidate_direct_mem_ptr(start, end);
}

// Phases.

void ProtocolChecker::transition(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                                 const sc_core::sc_time& delay) {
  const sc_core::sc_time at = annotated(delay);
  if (at < sc_core::sc_time_stamp()) violation(at, "annotated with a time already past", "11.1.3");
  if (phase > tlm::END_RESP) return ignorable(path, payload, phase, at);
  const bool forward = phase == tlm::BEGIN_REQ || phase == tlm::END_RESP;
  const bool backward = phase == tlm::END_REQ || phase == tlm::BEGIN_RESP;
  if (path == kForward ? !forward : !backward) {
    violation(at, std::string(phase.get_name()) + " on the " + (path == kForward ? "forward" : "backward") + " path",
              "15.2.3");
    return;
  }
  if (phase == tlm::BEGIN_REQ) return begin_request(payload, at);
  if (phase == tlm::END_REQ) return end_request(payload, at);
  if (phase == tlm::BEGIN_RESP) return begin_response(payload, at);
  end_response(payload, at);
}

void ProtocolChecker::begin_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  if (request_.open && request_.open != &payload) {
    violation(at, "BEGIN_REQ before END_REQ of the previous request", "15.2.6");
  } else if (at < request_.ended) {
    violation(at, "BEGIN_REQ at an earlier time than END_REQ of the previous request, " + request_.ended.to_string(),
              "15.2.6");
  }
  open(payload, State::kRequest, at);
  request_.open = &payload;
}

void ProtocolChecker::end_request(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  Transaction* transaction = find(payload, "END_REQ", at);
  if (!transaction) return;
  if (transaction->state != State::kRequest) {
    violation(at, "END_REQ of a request that has ended", "15.2.4");
    return;
  }
  if (!(transaction->attributes == Attributes(payload))) violation(at, "attributes changed by END_REQ", "14.7");
  transaction->state = State::kRequestEnded;
  request_.end(payload, at);
}

void ProtocolChecker::begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  Transaction* transaction = find(payload, "BEGIN_RESP", at);
  if (!transaction) return;
  if (transaction->state == State::kResponse || transaction->state == State::kBlocking) {
    violation(at, "BEGIN_RESP of a transaction that awaits none", "15.2.4");
    return;
  }
  request_.end(payload, at);  // BEGIN_RESP implies END_REQ
  if (response_.open) {
    violation(at, "BEGIN_RESP before END_RESP of the previous response", "15.2.6");
  } else if (at < response_.ended) {
    violation(at,
              "BEGIN_RESP at an earlier time than END_RESP of the previous response, " + response_.ended.to_string(),
              "15.2.6");
  }
  check_response(*transaction, payload, at);
  transaction->state = State::kResponse;
  response_.open = &payload;
}

void ProtocolChecker::end_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  Transaction* transaction = find(payload, "END_RESP", at);
  if (!transaction) return;
  if (transaction->state != State::kResponse) {
    violation(at, "END_RESP without BEGIN_RESP", "15.2.4");
    return;
  }
  response_.end(payload, at);
  live_.erase(&payload);
}

void ProtocolChecker::complete(tlm::tlm_generic_payload& payload, const tlm::tlm_phase& called,
                               const sc_core::sc_time& at) {
  const auto entry = live_.find(&payload);
  if (entry == live_.end()) {  // after END_RESP it is nothing new; an ignorable phase may have its own payload
    if (called == tlm::BEGIN_REQ) violation(at, "TLM_COMPLETED for a transaction that has ended", "15.2.4");
    return;
  }
  if (called == tlm::BEGIN_RESP) {  // the payload may be gone already: its owner has seen the end
    advance_time(entry->second, at);
    response_.end(payload, at);
  } else if (called == tlm::BEGIN_REQ) {
    advance_time(entry->second, at);
    check_response(entry->second, payload, at);
    request_.end(payload, at);
  } else {
    violation(at, std::string("TLM_COMPLETED in answer to ") + called.get_name(), "15.2.4");
    return;
  }
  live_.erase(entry);
}

void ProtocolChecker::ignorable(Path path, tlm::tlm_generic_payload& payload, const tlm::tlm_phase& phase,
                                const sc_core::sc_time& at) {
  if (const auto entry = live_.find(&payload); entry != live_.end()) advance_time(entry->second, at);
  if (phase != CREDIT) return;
  if (at < last_credit_[path]) {
    violation(at, "CREDIT at an earlier time than the one before, " + last_credit_[path].to_string(), "15.2.7");
  }
  last_credit_[path] = at;
  const auto* const grant = payload.get_extension<Carried<CreditGrant>>();
  if (!grant) return;
  grant->item.for_each(at.value(), [&](Femtoseconds t, unsigned credits) {
    last_credit_[path] = to_sc_time(t);
    credits_ += credits;
  });
}

// Transactions.

void ProtocolChecker::open(tlm::tlm_generic_payload& payload, State state, const sc_core::sc_time& at) {
  ++transactions_;
  check_attributes(payload, at);
  if (state != State::kBlocking && !payload.has_mm()) {
    violation(at, "nb_transport of a payload without a memory manager", "14.5");
  }
  if (!live_.insert_or_assign(&payload, Transaction{state, at, Attributes(payload)}).second) {
    violation(at, "payload used again before the end of its transaction", "14.5");
  }
}

void ProtocolChecker::check_attributes(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& at) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) {
    violation(at, "request with response status " + payload.get_response_string(), "14.17");
  }
  if (payload.is_dmi_allowed()) violation(at, "request with the DMI hint set", "14.16");
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;  // the rest means nothing then
  if (!payload.get_data_ptr()) violation(at, "request without a data pointer", "14.11");
  if (payload.get_data_length() == 0) violation(at, "request of zero bytes", "14.12");
  if (payload.get_byte_enable_ptr() && payload.get_byte_enable_length() == 0) {
    violation(at, "request with byte enables of length zero", "14.14");
  }
  if (payload.get_streaming_width() == 0) violation(at, "request with a streaming width of zero", "14.15");
}

void ProtocolChecker::check_response(const Transaction& transaction, const tlm::tlm_generic_payload& payload,
                                     const sc_core::sc_time& at) {
  if (!(transaction.attributes == Attributes(payload))) violation(at, "attributes changed by the response", "14.7");
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) {
    violation(at, "response without a response status", "14.17");
  }
}

ProtocolChecker::Transaction* ProtocolChecker::find(const tlm::tlm_generic_payload& payload, const char* phase,
                                                    const sc_core::sc_time& at) {
  const auto entry = live_.find(&payload);
  if (entry == live_.end()) {
    violation(at, std::string(phase) + " of a transaction that has not begun or has ended", "15.2.4");
    return nullptr;
  }
  advance_time(entry->second, at);
  return &entry->second;
}

void ProtocolChecker::advance_time(Transaction& transaction, const sc_core::sc_time& at) {
  if (at < transaction.last) violation(at, "a phase at an earlier time than the one before", "15.2.7");
  transaction.last = at;
}

}  // namespace gputlm
