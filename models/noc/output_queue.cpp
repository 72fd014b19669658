#include "models/noc/output_queue.h"

namespace gputlm {

std::size_t OutputQueue::size() const {
  std::size_t size = packets_.size();
  for (std::uint32_t place = free_; place != kNone; place = packets_[place].next) --size;
  return size;
}

void OutputQueue::grow_and_push(unsigned input, Cycle at, Access& access) {
  const std::size_t size = packets_.size();
  packets_.resize(std::max<std::size_t>(4, 2 * size));
  for (std::size_t place = packets_.size(); place-- > size;) {
    packets_[place].next = free_;
    free_ = static_cast<std::uint32_t>(place);
  }
  push(input, at, access);
}

}  // namespace gputlm
