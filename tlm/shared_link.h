/// A link whose slots several outboxes share, such as those of virtual channels: a packet of one occupies it for all.
#pragma once

#include <algorithm>

#include "tlm/base/time.h"

namespace gputlm {

class SharedLink {
 public:
  /// `width`: flits per cycle, the same as that of the outboxes.
  explicit SharedLink(unsigned width) : width_(width) {}
  /// The first cycle with a free slot.
  Cycle free_at() const { return free_; }
  /// One of the outboxes has sent in cycle `now` >= free_at(); calls are in order of `now`.
  void sent(Cycle now, unsigned flits) {
    next_slot_ = std::max<Cycle>(next_slot_, now * width_) + flits;
    free_ = next_slot_ / width_;
  }

 private:
  unsigned width_;
  Cycle next_slot_ = 0;  ///< first free slot; there are width_ slots per cycle
  Cycle free_ = 0;
};

}  // namespace gputlm
