/// A decision at an output of the crossbar that hardware takes: an arbiter of rtl/, or the user's own with the same ports.
#pragma once

#include <functional>

#include "models/noc/flit_arbiter.h"
#include "models/noc/rtl_flit_arbiter.h"

namespace gputlm {

/// Adds the policy to flit_arbiters(). It has the weights and ages of the policy whose options it has, NAME of NAME@rtl.
/// `model_for` gives the arbiter for an output of a switch; it is asked when one is made. What it cannot hold after all is
/// an InputError then, or when it comes.
void add_flit_arbiter_in_hardware(const PolicyInfo& info,
                                  std::function<FlitArbiterModel(const FlitArbiterSetup&)> model_for);

}  // namespace gputlm
