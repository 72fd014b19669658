/// Message between the work distributor and an SM for programmatic dependent launch, where a kernel may begin before the
/// kernel that it depends on has ended. To the work distributor: a block of `kernel` lets dependents begin. To the SM: the
/// kernel that `kernel` depends on has ended. It is a transaction whose response returns it.
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
