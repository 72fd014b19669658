/// Address traces made up on the way (platform/input/address_trace.h lists them).
#pragma once

#include <memory>
#include <string>

#include "platform/input/address_trace.h"

namespace gputlm {

/// The generated trace called `name`, `KIND:COUNT`; null if there is no such kind. Accesses lie at multiples of `step`,
/// a power of two. Throws InputError for a COUNT that is no number from 1 to 2^40.
std::unique_ptr<AddressTrace> make_generated_trace(const std::string& name, Bytes step, std::uint64_t seed);

}  // namespace gputlm
