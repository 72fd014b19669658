/// How long copies of a kind take when they have the memory for themselves, learnt from those that were moved packet by
/// packet. What is longer than `detail` goes on at the rate of the second half of `detail`.
///
/// Times are core cycles from the first packet's begin; a copy is at `bytes` when so many have been written, whichever.
#pragma once

#include <vector>

#include "tlm/time.h"

namespace gputlm {

class CopyTimes {
 public:
  /// `detail`: at least two packets, a power of two as `packet` is.
  CopyTimes(Bytes packet, Bytes detail);

  /// A copy has come to `bytes` after `time`. Calls for a copy are in order; what is known already is not changed.
  void learn(Bytes bytes, Cycle time);
  /// A copy as long as this one, or longer, has been seen.
  bool known(Bytes bytes) const { return complete() || packets(bytes) <= times_.size(); }
  /// When a copy comes to `bytes`, which are known; 0 to 0.
  Cycle time(Bytes bytes) const;
  /// To how many bytes a copy has come after `time`, in whole packets.
  Bytes reached(Cycle time) const;

 private:
  std::size_t packets(Bytes bytes) const { return (bytes + packet_ - 1) / packet_; }
  bool complete() const { return times_.size() == most_; }
  /// Cycles of the second half of `detail`.
  Cycle half() const { return times_[most_ - 1] - times_[most_ / 2 - 1]; }

  Bytes packet_;
  std::size_t most_;          ///< packets of `detail`
  std::vector<Cycle> times_;  ///< by packets less one; in order
};

}  // namespace gputlm
