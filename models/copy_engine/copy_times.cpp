#include "models/copy_engine/copy_times.h"

#include <algorithm>
#include <cassert>

namespace gputlm {

CopyTimes::CopyTimes(Bytes packet, Bytes detail) : packet_(packet), most_(detail / packet) { assert(most_ >= 2); }

void CopyTimes::learn(Bytes bytes, Cycle time) {
  const std::size_t count = std::min(packets(bytes), most_);
  if (count > times_.size()) times_.resize(count, time);
}

Cycle CopyTimes::time(Bytes bytes) const {
  assert(known(bytes));
  const std::size_t count = packets(bytes);
  if (count == 0) return 0;
  if (count <= times_.size()) return times_[count - 1];
  return times_.back() + (count - most_) * half() / (most_ / 2);
}

Bytes CopyTimes::reached(Cycle time) const {
  const auto later = std::upper_bound(times_.begin(), times_.end(), time);
  auto count = static_cast<std::size_t>(later - times_.begin());
  if (later == times_.end() && complete() && half() > 0) count += (time - times_.back()) * (most_ / 2) / half();
  return count * packet_;
}

}  // namespace gputlm
