/// Moves the state of preempted blocks between an SM and memory, line by line, as fast as the port takes them.
#pragma once

#include <cstdint>

#include "models/kernel/kernel.h"
#include "models/noc/network_interface.h"
#include "models/sm/config.h"
#include "tlm/access.h"
#include "tlm/context_switch.h"
#include "tlm/link.h"

namespace gputlm {

/// Blocks of an application that are off an SM, or on their way.
struct BlocksOff {
  unsigned blocks = 0;
  Bytes bytes = 0;  ///< bytes of their state
};

/// Size of the state of a block with this number of warps that have not exited.
Bytes state_of_block(const Kernel& kernel, unsigned live_warps);
/// Address of the saved state of an application's blocks on an SM: each application has room for all that an SM holds.
Address save_area(const SmConfig& config, ApplicationId application, SmId sm);

class StateTransfer {
 public:
  static constexpr std::uint16_t kSlot = 0xffff;  ///< slot of its accesses, which no warp has

  /// `port`: the SM's; nothing else is sent during a transfer. Arguments given by reference must outlive it.
  StateTransfer(const NetworkInterface& network, AccessSource& accesses, Outbox<Access>& port)
      : network_(network), accesses_(accesses), port_(port) {}

  /// Writes or reads `bytes`, whole lines, from `address` on, for `who`, from cycle `at` on.
  void begin(Cycle at, Address address, Bytes bytes, bool write, const Identity& who);
  /// Moves nothing, but takes until cycle `end`.
  void pass(Cycle end) { passed_ = end; }
  bool active() const { return left_ > 0 || outstanding_ > 0 || passed_ > 0; }
  /// Cycle in which it can send; kNever if it has nothing to send or no credit is known.
  Cycle next() const;
  /// Sends what can leave at `now`.
  void step(Cycle now);
  /// One of its accesses has been answered.
  void reply() { --outstanding_; }

 private:
  NetworkInterface network_;
  AccessSource& accesses_;
  Outbox<Access>& port_;
  Cycle from_ = 0;
  Address address_ = 0;
  Bytes left_ = 0;
  Cycle passed_ = 0;  ///< end of a pass(); 0: none
  std::uint64_t outstanding_ = 0;
  bool write_ = false;
  Identity identity_;
};

/// An SM's end of the preemption link: one command at a time, and its state transfer.
struct SwitchPort {
  SwitchPort(const NetworkInterface& network, AccessSource& accesses, Outbox<Access>& port)
      : transfer(network, accesses, port) {}
  Inbox<ContextSwitch> commands{1};
  Outbox<ContextSwitch> done{1, 1};
  ContextSwitch* command = nullptr;  ///< command that is being carried out
  StateTransfer transfer;
};

}  // namespace gputlm
