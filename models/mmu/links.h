/// The links between an SM and the MMU.
#pragma once

#include "tlm/link.h"

namespace gputlm {

/// For translations of an SM with at most `pages` outstanding: it never waits for the link itself.
inline Link translation_link(const Clock& clock, unsigned hop_latency, unsigned pages) {
  const Link::Direction direction{clock.period(), 1, pages};
  return {hop_latency * clock.period(), direction, direction};
}

/// For shootdowns, one at a time.
inline Link shootdown_link(const Clock& clock, unsigned hop_latency) {
  const Link::Direction direction{clock.period(), 1, 1};
  return {hop_latency * clock.period(), direction, direction};
}

}  // namespace gputlm
