/// Wraps a policy at an output of a switch and reports its events. Without a watcher, the output has only the policy.
#pragma once

#include <memory>

#include "models/noc/decisions.h"
#include "tlm/tap.h"

namespace gputlm {

/// Decides as `policy` does, at an output of a switch with `inputs` inputs. `tap` must outlive it.
std::unique_ptr<FlitArbiter> recorded(std::unique_ptr<FlitArbiter> policy, unsigned inputs, Tap<FlitArbiterEvent>& tap);

}  // namespace gputlm
