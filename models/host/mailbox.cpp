#include "models/host/mailbox.h"

#include <algorithm>

namespace gputlm {
namespace {

constexpr unsigned kRegisterBytes = 8;

tlm::tlm_response_status status_of(const tlm::tlm_generic_payload& payload) {
  if (payload.get_byte_enable_ptr()) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
  const unsigned bytes = payload.get_data_length();
  if ((bytes != kRegisterBytes && bytes != kRegisterBytes / 2) || payload.get_streaming_width() < bytes)
    return tlm::TLM_BURST_ERROR_RESPONSE;
  if (!payload.get_data_ptr()) return tlm::TLM_GENERIC_ERROR_RESPONSE;
  return payload.get_address() % kRegisterBytes == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
}

tlm::tlm_response_status to_status(MailboxCore::Answer answer) {
  switch (answer) {
    case MailboxCore::Answer::kDone: return tlm::TLM_OK_RESPONSE;
    case MailboxCore::Answer::kNowhere: return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    case MailboxCore::Answer::kReadOnly:
    case MailboxCore::Answer::kWriteOnly: break;
  }
  return tlm::TLM_COMMAND_ERROR_RESPONSE;
}

std::uint64_t from_bytes(const unsigned char* data, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{data[i]} << (8 * i);
  return value;
}

void to_bytes(std::uint64_t value, unsigned char* data, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(value >> (8 * i));
}

}  // namespace

Mailbox::Mailbox(const sc_core::sc_module_name& module_name, const Clock& core_clock, const Links& links,
                 const MailboxSetup& setup, const MailboxCore::Limits& limits)
    : Unit(module_name, core_clock), registers("registers"), interrupt("interrupt"),
      core_(setup, limits, pool_, copy_pool_, word_pool_),
      register_latency_(to_sc_time(setup.register_latency * core_clock.period())),
      launches("launches", *this, links.launches, core_.launches(), core_.completions()) {
  if (limits.turns.by_turns)
    pending.emplace("pending", *this, links.pending, core_.pending_work(), core_.pending_work_heard());
  if (setup.copies) copies.emplace("copies", *this, links.launches, core_.copies(), core_.copy_ends());
  registers.register_b_transport(this, &Mailbox::b_transport);  // the socket turns nb_transport calls into calls of it
  registers.register_transport_dbg(this, &Mailbox::transport_dbg);
  has_foreign_peer();
  add(announcer_);
  SC_HAS_PROCESS(Mailbox);
  SC_METHOD(drive_interrupt);
  sensitive << interrupt_event_;
  dont_initialize();
}

Mailbox::~Mailbox() = default;

void Mailbox::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  sc_core::wait(delay + register_latency_);
  payload.set_response_status(access(payload));
  delay = register_latency_;
}

tlm::tlm_response_status Mailbox::access(tlm::tlm_generic_payload& payload) {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (const auto status = status_of(payload); status != tlm::TLM_OK_RESPONSE) return status;
  const Address address = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  MailboxCore::Answer answer{};
  if (payload.is_read()) {
    std::uint64_t value = 0;
    answer = core_.read(address, cycle(), value);
    if (answer == MailboxCore::Answer::kDone) to_bytes(value, payload.get_data_ptr(), bytes);
  } else {
    answer = core_.write(address, cycle(), from_bytes(payload.get_data_ptr(), bytes));
    wake(clock().edge(cycle() + 1));
  }
  interrupt_event_.notify(sc_core::SC_ZERO_TIME);
  return to_status(answer);
}

unsigned Mailbox::transport_dbg(tlm::tlm_generic_payload& payload) {
  std::uint64_t value = 0;
  const Address address = payload.get_address();
  if (!payload.is_read() || !payload.get_data_ptr() || address % kRegisterBytes != 0) return 0;
  if (core_.peek(address, cycle(), value) != MailboxCore::Answer::kDone) return 0;
  const unsigned bytes = std::min(payload.get_data_length(), kRegisterBytes);
  to_bytes(value, payload.get_data_ptr(), bytes);
  return bytes;
}

void Mailbox::Announcer::flush() {
  mark().set();
  const Cycle at = mailbox_.core_.next_to_show();
  if (at != kNever) mailbox_.interrupt_event_.notify(to_sc_time(mailbox_.clock().edge(at) - mailbox_.now()));
}

void Mailbox::drive_interrupt() {
  const bool level = core_.interrupt(cycle());
  if (interrupt.size() > 0) interrupt->write(level);
  announcer_.flush();
}

}  // namespace gputlm
