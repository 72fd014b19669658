/// What a memory scheduler may see of its controller, beside its bank's requests and what it is told (scheduler.h). It is
/// looked up when asked for, so a scheduler that does not ask pays nothing.
#pragma once

#include <cstdint>

#include "models/dram/address_map.h"
#include "models/dram/scheduler.h"
#include "tlm/identity.h"
#include "tlm/time.h"

namespace gputlm {

/// Of the scheduler's queue: that of reads, or of writes, where a controller has both. A pick is asked for when something has
/// happened to its own bank; what the others do meanwhile does not have it asked again.
class QueueView {
 public:
  virtual ~QueueView() = default;
  /// From when on the next command may go, in the controller's cycles: as late as it is.
  virtual Cycle now() const = 0;
  /// Pending requests of an application, and of a bank.
  virtual unsigned queued(ApplicationId application) const = 0;
  virtual unsigned pending(unsigned bank) const = 0;
  /// kNoRow: the bank is precharged.
  virtual Row open_row(unsigned bank) const = 0;
  /// Of a pending request: when it came into the queue, and whose it is, down to SM, block and warp.
  virtual Cycle entered(const Request& request) const = 0;
  virtual const Identity& identity(const Request& request) const = 0;
  /// Bursts that the channel has read and written for an application so far.
  virtual std::uint64_t served(ApplicationId application) const = 0;
};

}  // namespace gputlm
