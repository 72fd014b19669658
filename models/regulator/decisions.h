/// What the regulator of a place is told and asked, event by event: all that one of hardware in its place would see at its
/// ports (rtl/bandwidth_regulator.sv).
#pragma once

#include <cstdint>

#include "tlm/time.h"

namespace gputlm {

struct RegulatorEvent {
  enum class Kind : std::uint8_t {
    kPasses,  ///< the request at the head of an application's queue: its tokens suffice, and it leaves
    kWaits,   ///< the request at the head is there, and they do not; told again after each start of a period
    kBegins,  ///< a period of the application
  };
  Cycle at = 0;  ///< of the core clock
  Kind kind{};
  std::uint8_t number = 0;  ///< of the application, among those with a budget
  Bytes bytes = 0;          ///< of the request, or of the budget
};

}  // namespace gputlm
