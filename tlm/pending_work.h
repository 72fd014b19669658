/// What travels from the host to a work distributor whose contexts take turns: whether an application holds launches that
/// the work distributor has not got yet, as a doorbell tells a GPU of work in a channel. A transaction whose response gives
/// it back.
#pragma once

#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// How contexts share the execution engine, as far as the host has to know.
struct TurnTaking {
  bool by_turns = false;        ///< they are not on it together, and are told what their streams hold
  bool waits_are_work = false;  ///< launches that wait for something else than kernels of their application count, too
};

struct PendingWork {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  bool pending = false;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
