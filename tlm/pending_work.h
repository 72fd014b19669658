/// Message from the host to a work distributor whose contexts take turns: whether an application has launches that the work
/// distributor has not received yet, as a doorbell tells a GPU of work in a channel. It is a transaction whose response
/// returns it.
#pragma once

#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

/// How contexts share the execution engine, as far as the host has to know.
struct TurnTaking {
  bool by_turns = false;        ///< contexts are not on it together; the host sends PendingWork
  bool waits_are_work = false;  ///< launches that wait for anything but kernels of their application also count as work
};

struct PendingWork {
  std::uint16_t flits = 1;
  ApplicationId application = 0;
  bool pending = false;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
