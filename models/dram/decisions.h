/// What the scheduler of a DRAM channel and the admission in front of its queue are told and asked, event by event: all
/// that a block of hardware in their place would see at its ports (rtl/fr_rr_fcfs_arbiter.sv, rtl/reserved_admission.sv).
#pragma once

#include <cstdint>

#include "models/dram/address_map.h"
#include "models/dram/admission.h"
#include "tlm/time.h"

namespace gputlm {

/// Of one of the channel's queues.
struct ArbiterEvent {
  enum class Kind : std::uint8_t {
    kArrives,     ///< a burst enters the queue
    kActivates,   ///< the answer for its bank was a request whose row is to be opened, and is
    kPrecharges,  ///< likewise, a request for which another row has to be closed first
    kOpens,       ///< a row is opened for a request of the other queue,
    kCloses,      ///< or closed for one of those, or for none: this queue was not asked
    kServes,      ///< the column command of the answer goes out: it leaves the queue
  };
  Cycle at = 0;  ///< of the command clock
  Kind kind{};
  std::uint8_t queue = 0;  ///< 1: of writes, where they have one
  ApplicationId application = 0;
  std::uint32_t bank = 0;
  Row row = 0;  ///< of the request, or the one that is opened; of kCloses, 0
};

struct AdmissionEvent {
  enum class Kind : std::uint8_t {
    kEnters,  ///< the access of the application that was next
    kLeaves,  ///< a burst of the application: it has been served
  };
  Cycle at = 0;  ///< of the command clock
  Kind kind{};
  std::uint8_t application = 0;  ///< as Admission::number() has it
  AdmissionHeads heads;          ///< from which kEnters was chosen
};

}  // namespace gputlm
