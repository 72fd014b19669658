/// The SystemC module of the mailbox: a target of the base protocol for the driver of the GPU, by b_transport or
/// nb_transport, and an interrupt line.
///
/// An access takes MailboxSetup::register_latency to the mailbox, where it takes effect, and the same back, after any
/// annotated delay. Several may be in flight. An invalid access is answered after the same time with an error status:
/// ADDRESS_ERROR without a register at the address, BURST_ERROR for sizes other than 8 or 4 bytes or for streaming,
/// BYTE_ENABLE_ERROR with byte enables, COMMAND_ERROR for a write to a read-only register and the reverse. transport_dbg
/// reads registers, without side effects or time.
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <optional>

#include "models/host/mailbox_core.h"
#include "tlm/port.h"

namespace gputlm {

class Mailbox final : public Unit {
 public:
  struct Links {
    Link launches;  ///< link to the work distributor, and to any copy engines
    Link pending;   ///< another one to the work distributor, if contexts take turns
  };
  Mailbox(const sc_core::sc_module_name& name, const Clock& clock, const Links& links, const MailboxSetup& setup,
          const MailboxCore::Limits& limits);
  ~Mailbox() override;

  MailboxCore& core() { return core_; }
  bool done() const override { return core_.done(); }
  std::vector<std::string> waiting() const override { return core_.waiting(); }

  tlm_utils::simple_target_socket<Mailbox> registers;
  /// High while MailboxCore::interrupt(); need not be bound.
  sc_core::sc_port<sc_core::sc_signal_inout_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> interrupt;

 private:
  /// Triggers the interrupt line when an end becomes visible.
  class Announcer final : public Flushable {
   public:
    explicit Announcer(Mailbox& mailbox) : mailbox_(mailbox) {}
    void flush() override;

   private:
    Mailbox& mailbox_;
  };

  Cycle compute(Cycle until) override { return core_.advance(until); }
  Cycle cycle() const { return clock().at_or_before(now()); }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned transport_dbg(tlm::tlm_generic_payload& payload);
  tlm::tlm_response_status access(tlm::tlm_generic_payload& payload);
  void drive_interrupt();

  PayloadPool<KernelLaunch> pool_;
  PayloadPool<Copy> copy_pool_;
  PayloadPool<PendingWork> word_pool_;
  MailboxCore core_;
  sc_core::sc_time register_latency_;
  Announcer announcer_{*this};
  sc_core::sc_event interrupt_event_;

 public:
  InitiatorPort<KernelLaunch> launches;               ///< launches to the work distributor
  std::optional<InitiatorPort<PendingWork>> pending;  ///< PendingWork to the work distributor
  std::optional<InitiatorPort<Copy>> copies;          ///< copies to the copy engines
};

}  // namespace gputlm
