/// Message from the work distributor to an SM to save the blocks of an application, or to restore them: a transaction whose
/// response says that it is done.
#pragma once

#include <cstdint>

#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// Unit of ContextSwitch::pace: cycles per 2^16 bytes.
inline constexpr unsigned kSwitchPaceBits = 16;

struct ContextSwitch {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  bool brings_back = false;  ///< restores the blocks; otherwise it saves them
  std::uint32_t pace = 0;    ///< pace of the state transfer; 0: it moves in packets

  // Results.
  unsigned blocks = 0;
  Bytes bytes = 0;     ///< bytes of state written to memory or read back
  Cycle took = 0;      ///< duration of the transfer
  bool stuck = false;  ///< for saved blocks: all their warps wait at barriers
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
