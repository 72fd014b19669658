/// What travels from the work distributor to an SM to take the blocks of an application off it, or to bring them back:
/// a transaction whose response says that it is done.
#pragma once

#include <cstdint>

#include "tlm/identity.h"
#include "tlm/time.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// Of ContextSwitch::pace: cycles for 2^16 bytes.
inline constexpr unsigned kSwitchPaceBits = 16;

struct ContextSwitch {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  bool brings_back = false;  ///< else the blocks are taken off
  std::uint32_t pace = 0;    ///< at which the state is moved; 0: in packets

  // Results.
  unsigned blocks = 0;
  Bytes bytes = 0;     ///< of state, written to memory or read again
  Cycle took = 0;      ///< to move it
  bool stuck = false;  ///< blocks that were taken off: all their warps wait at barriers
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
