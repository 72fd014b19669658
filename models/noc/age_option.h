/// The limit up to which ages are counted, for policies that use ages.
#pragma once

#include <algorithm>

#include "models/noc/flit_arbiter.h"

namespace gputlm {

struct AgeOption {
  unsigned age_bits = 12;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.number(&AgeOption::age_bits, "age_bits", "bits", 1, 16,
             "Bits of a packet's header for its age; an age of 2^age_bits - 1 core cycles or more counts as that",
             "assumed: more than a loaded round trip to DRAM");
  }
  /// Age in core cycles since issue, up to the limit.
  unsigned age(const FlitHead& head, Cycle now) const {
    return static_cast<unsigned>(std::min<Cycle>(now - std::min(now, head.issued), (1u << age_bits) - 1));
  }
};

}  // namespace gputlm
