/// What travels between the work distributor and an SM where a kernel may begin before the one that it depends on has ended
/// (programmatic dependent launch). To the work distributor: a block of the kernel lets dependents begin. From there: the
/// kernel that `kernel` depends on has ended. A transaction whose response gives it back.
#pragma once

#include <cstdint>

#include "tlm/identity.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

struct GridSignal {
  std::uint16_t flits = 1;
  KernelId kernel = 0;
  tlm::tlm_generic_payload* transaction = nullptr;
};

}  // namespace gputlm
