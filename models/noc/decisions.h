/// The events and queries of an arbiter at an output of a switch: all that a hardware arbiter in its place would see at its
/// ports (rtl/weighted_flit_arbiter.sv).
#pragma once

#include <cstdint>

#include "models/noc/flit_arbiter.h"
#include "tlm/base/time.h"

namespace gputlm {

struct FlitArbiterEvent {
  enum class Kind : std::uint8_t {
    kArrives,  ///< a packet becomes the first one of its input
    kLeaves,   ///< the arbiter chose this input: its first packet leaves
  };
  Cycle at = 0;  ///< in cycles of the crossbar's clock
  Kind kind{};
  std::uint16_t input = 0;
  std::uint16_t inputs = 0;  ///< number of inputs of the switch
  FlitHead head;             ///< the packet's head
};

}  // namespace gputlm
