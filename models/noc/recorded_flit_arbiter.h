/// A policy at an output of a switch, and somebody who is told of what it sees and decides. Where nobody is, the output has
/// the policy alone.
#pragma once

#include <memory>

#include "models/noc/decisions.h"
#include "tlm/tap.h"

namespace gputlm {

/// Decides as `policy` does, at an output of a switch with so many inputs. `tap` must outlive it.
std::unique_ptr<FlitArbiter> recorded(std::unique_ptr<FlitArbiter> policy, unsigned inputs, Tap<FlitArbiterEvent>& tap);

}  // namespace gputlm
