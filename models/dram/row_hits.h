/// Row hits first, up to a cap: the common part of FR-FCFS and FR-RR-FCFS.
#pragma once

#include "models/dram/scheduler.h"

namespace gputlm {

/// Finds the oldest row hit of a bank. Hits may overtake requests to other rows without bound, as in the papers, unless
/// there is a cap: after `cap` column commands to a row since it was opened, hits lose precedence until a row is opened
/// again (0: no cap).
class RowHits {
 public:
  explicit RowHits(unsigned cap) : cap_(cap) {}

  /// Index of the oldest request to `open_row`; candidates.size() if there is none, or if hits have lost precedence.
  std::size_t oldest(const RequestView& candidates, Row open_row) const {
    if (open_row == kNoRow || (cap_ != 0 && served_ >= cap_)) return candidates.size();
    std::size_t i = 0;
    while (i < candidates.size() && candidates[i].row != open_row) ++i;
    return i;
  }
  void activated() { served_ = 0; }
  void served() { served_ += served_ < cap_ ? 1 : 0; }

 private:
  unsigned cap_;
  unsigned served_ = 0;  ///< column commands since the row was opened, counted up to the cap
};

}  // namespace gputlm
