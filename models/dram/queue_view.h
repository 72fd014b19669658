/// The state of its controller that a memory scheduler may query, beyond its bank's requests and the calls of scheduler.h.
/// It is computed on request, so a scheduler that does not use it pays nothing.
#pragma once

#include <cstdint>

#include "models/dram/address_map.h"
#include "models/dram/scheduler.h"
#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace gputlm {

/// View of the scheduler's queue: reads or writes, if a controller has both. A pick is requested when its own bank has
/// changed; changes in other banks do not cause a new pick.
class QueueView {
 public:
  virtual ~QueueView() = default;
  /// The earliest cycle of the next command, in the controller's clock; serves as the current time.
  virtual Cycle now() const = 0;
  /// Pending requests of an application, and of a bank.
  virtual unsigned queued(ApplicationId application) const = 0;
  virtual unsigned pending(unsigned bank) const = 0;
  /// kNoRow: the bank is precharged.
  virtual Row open_row(unsigned bank) const = 0;
  /// When a pending request entered the queue, and its identity, down to SM, block and warp.
  virtual Cycle entered(const Request& request) const = 0;
  virtual const Identity& identity(const Request& request) const = 0;
  /// Bursts read and written for an application so far.
  virtual std::uint64_t served(ApplicationId application) const = 0;
};

}  // namespace gputlm
