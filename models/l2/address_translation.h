/// What an L2 slice must know about the address map: how the addresses that reach it number its lines, and where in
/// its DRAM channel they lie.
#pragma once

#include "tlm/time.h"

namespace gputlm {

/// Both mappings keep the offset within a 128-byte line, and are pure: same in, same out.
class AddressTranslation {
 public:
  virtual ~AddressTranslation() = default;
  /// Address within the slice of a GPU address that maps to it: consecutive over what the slice holds, so that its
  /// sets are used evenly.
  virtual Address tag_address(Address global) const = 0;
  /// Address within the slice's DRAM channel of an address within the slice.
  virtual Address memory_address(Address tag_address) const = 0;
};

}  // namespace gputlm
