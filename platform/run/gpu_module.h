/// The whole GPU as a module of another platform, which sees two target sockets and an interrupt line.
#pragma once

#include <stdexcept>
#include <string>

#include "platform/run/gpu.h"

namespace gputlm {

class GpuModule final : public sc_core::sc_module {
 public:
  /// `check_protocol` inserts a checker between any two of the GPU's own sockets. Throws InputError for an inconsistent
  /// configuration, and for kernels, streams or applications that the GPU cannot run.
  GpuModule(const sc_core::sc_module_name& module_name, const GpuConfig& config, const GpuInterface& interface,
            bool check_protocol = false)
      : sc_module(module_name), config_(config), gpu_(config_, interface, check_protocol),
        has_memory_port_(interface.memory_port) {}

  /// Registers of the mailbox (models/host/mailbox_registers.h).
  tlm::tlm_target_socket<>& registers() { return gpu_.mailbox().registers; }
  /// The memory port. Throws std::logic_error if none was requested.
  tlm::tlm_target_socket<>& memory() {
    if (!has_memory_port_) throw std::logic_error(std::string(name()) + " has been made without a memory port");
    return gpu_.memory_port().port.socket;
  }
  /// High while the mailbox has completions to report; may be left unbound.
  auto& interrupt() { return gpu_.mailbox().interrupt; }
  /// For statistics of the units, completions of commands (MailboxCore::ends) and checkers.
  Gpu& gpu() { return gpu_; }

 private:
  GpuConfig config_;
  Gpu gpu_;
  bool has_memory_port_;
};

}  // namespace gputlm
