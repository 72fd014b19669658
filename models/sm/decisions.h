/// The events and queries of a sub-core's warp scheduler: all that a hardware sorter in its place would see at its ports
/// (rtl/qaws_sorter.sv).
#pragma once

#include <cstdint>

#include "tlm/base/time.h"

namespace gputlm {

struct SorterEvent {
  enum class Kind : std::uint8_t {
    kIssues,    ///< the warp in the slot issues, chosen from the candidates
    kAssigned,  ///< a warp moves into the slot
    kReleased,  ///< a warp leaves it
  };
  Cycle at = 0;  ///< in cycles of the core clock
  Kind kind{};
  std::uint8_t sub_core = 0, slot = 0;
  unsigned budget = 0;           ///< budget of the warp, for kAssigned
  std::uint64_t candidates = 0;  ///< set of candidate slots, for kIssues
};

}  // namespace gputlm
