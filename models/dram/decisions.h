/// The events and queries of a DRAM channel's scheduler and of the admission in front of its queue: all that a hardware
/// block in their place would see at its ports (rtl/fr_rr_fcfs_arbiter.sv, rtl/reserved_admission.sv).
#pragma once

#include <cstdint>

#include "models/dram/address_map.h"
#include "models/dram/admission.h"
#include "tlm/base/time.h"

namespace gputlm {

/// An event of one of the channel's queues.
struct ArbiterEvent {
  enum class Kind : std::uint8_t {
    kArrives,     ///< a burst enters the queue
    kActivates,   ///< a row is opened for the request picked for its bank
    kPrecharges,  ///< a row is closed for the request picked for its bank
    kOpens,       ///< a row is opened for a request of the other queue,
    kCloses,      ///< or closed for one of those, or for none, without a pick in this queue
    kServes,      ///< the column command of the picked request is issued: it leaves the queue
  };
  Cycle at = 0;  ///< in cycles of the command clock
  Kind kind{};
  std::uint8_t queue = 0;  ///< number of the queue; 1: the write queue, if there is one
  ApplicationId application = 0;
  std::uint32_t bank = 0;
  Row row = 0;  ///< row of the request, or the opened row; 0 for kCloses
};

struct AdmissionEvent {
  enum class Kind : std::uint8_t {
    kEnters,  ///< the access of the application whose turn it was enters
    kLeaves,  ///< a burst of the application leaves: it has been served
  };
  Cycle at = 0;  ///< in cycles of the command clock
  Kind kind{};
  std::uint8_t application = 0;  ///< number by which it is admitted (Admission::number())
  AdmissionHeads heads;          ///< heads from which the access of kEnters was chosen
};

}  // namespace gputlm
