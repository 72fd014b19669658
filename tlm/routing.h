#pragma once

#include "tlm/time.h"

namespace gputlm {

/// Which L2 slice an address belongs to: the part of the address map that a requester needs.
class SliceRouting {
 public:
  virtual ~SliceRouting() = default;
  /// Same slice for every address of a 128-byte line.
  virtual unsigned slice(Address address) const = 0;
};

}  // namespace gputlm
