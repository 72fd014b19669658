/// Message from the copy engines of an instance to those of another one that share the link to the host: whether they have a
/// copy over it. It is a transaction whose response returns it.
#pragma once

#include <cstdint>

#include "tlm/link.h"

namespace tlm {
class tlm_generic_payload;
}

namespace gputlm {

struct LinkUse {
  std::uint16_t flits = 1;
  bool in_use = false;
  tlm::tlm_generic_payload* transaction = nullptr;
};

/// The link between the copy engines of two instances. `hop`: latency in cycles.
inline Link link_use_link(const Clock& clock, Cycle hop) {
  const Link::Direction direction{clock.period(), 1, 4};
  return {hop * clock.period(), direction, direction};
}

}  // namespace gputlm
