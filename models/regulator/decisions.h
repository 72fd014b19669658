/// The events and queries of a place's regulator: all that a hardware regulator in its place would see at its ports
/// (rtl/bandwidth_regulator.sv).
#pragma once

#include <cstdint>

#include "tlm/base/time.h"

namespace gputlm {

struct RegulatorEvent {
  enum class Kind : std::uint8_t {
    kPasses,  ///< the head of an application's queue leaves, since its tokens suffice
    kWaits,   ///< the head waits, since its tokens do not suffice; repeated after each start of a period
    kBegins,  ///< a period of the application begins
  };
  Cycle at = 0;  ///< in cycles of the core clock
  Kind kind{};
  std::uint8_t number = 0;  ///< number of the application among those with a budget
  Bytes bytes = 0;          ///< bytes of the request; for kBegins, those of the budget
};

}  // namespace gputlm
