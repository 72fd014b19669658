/// The outgoing side of the virtual channels that share a link of a slice: what waits in each, and its outbox.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tlm/access.h"
#include "tlm/link.h"
#include "tlm/ring.h"
#include "tlm/shared_link.h"

namespace gputlm {

class Lanes {
 public:
  /// `width` and `credits`: of each outbox; `capacity`: of each queue.
  Lanes(unsigned channels, unsigned width, unsigned credits, std::size_t capacity) : link_(width) {
    for (unsigned i = 0; i < channels; ++i) lanes_.push_back({Outbox<Access>(width, credits), Ring<Due>(capacity)});
  }

  Outbox<Access>& outbox(unsigned channel) { return lanes_[channel].outbox; }
  std::size_t size(unsigned channel) const { return lanes_[channel].due.size(); }
  /// Of all channels.
  std::size_t size() const { return size_; }
  /// To be sent no earlier than `at`.
  void push(unsigned channel, Cycle at, Access& access) {
    Lane& lane = lanes_[channel];
    lane.due.push({at, &access});
    ++size_;
    if (lane.due.size() == 1) next_ = std::min(next_, next_of(lane));
  }

  /// Looks for credits, which come between calls of the owner's advance().
  void refresh() {
    if (size_ > 0) find_next();
  }
  /// The next cycle in which something can be sent.
  Cycle next() const { return next_; }
  /// Sends what can leave before `until`: of several channels that can, that of the next one in turn. What is pushed later
  /// is due later, so that it makes no difference when this is called. True if something has left.
  bool send_until(Cycle until);

 private:
  struct Due {
    Cycle at;
    Access* access;
  };
  struct alignas(64) Lane {  // in as few lines of the host's cache as it can
    Outbox<Access> outbox;
    Ring<Due> due;
  };
  Cycle next_of(const Lane& lane) const {
    return lane.due.empty() ? kNever : std::max({lane.due.front().at, lane.outbox.ready_at(), link_.free_at()});
  }
  /// As nearly always. Sizes of vectors are divisions.
  bool single() const { return &lanes_.front() == &lanes_.back(); }
  void find_next() {
    next_ = kNever;
    for (const Lane& lane : lanes_) next_ = std::min(next_, next_of(lane));
  }
  Lane& next_in_turn(Cycle now);

  std::vector<Lane> lanes_;
  SharedLink link_;  ///< of several; with one the outbox knows
  std::size_t turn_ = 0;
  std::size_t size_ = 0;
  Cycle next_ = kNever;
};

}  // namespace gputlm
