/// The outgoing side of the virtual channels that share a link of a slice: the queue and outbox of each.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "tlm/access.h"
#include "tlm/base/ring.h"
#include "tlm/link.h"
#include "tlm/shared_link.h"

namespace gputlm {

class Lanes {
 public:
  /// `width` and `credits` are those of each outbox, `capacity` is that of each queue.
  Lanes(unsigned channels, unsigned width, unsigned credits, std::size_t capacity) : link_(width) {
    for (unsigned i = 0; i < channels; ++i) lanes_.push_back({Outbox<Access>(width, credits), Ring<Due>(capacity)});
  }

  Outbox<Access>& outbox(unsigned channel) { return lanes_[channel].outbox; }
  std::size_t size(unsigned channel) const { return lanes_[channel].due.size(); }
  /// Entries of all channels.
  std::size_t size() const { return size_; }
  /// Adds an access, to be sent no earlier than `at`.
  void push(unsigned channel, Cycle at, Access& access) {
    Lane& lane = lanes_[channel];
    lane.due.push({at, &access});
    ++size_;
    if (lane.due.size() == 1) next_ = std::min(next_, next_of(lane));
  }

  /// Checks for credits, which arrive between calls of the owner's advance().
  void refresh() {
    if (size_ > 0) find_next();
  }
  /// The next cycle in which something can be sent.
  Cycle next() const { return next_; }
  /// Sends what can leave before `until`; channels take turns. Later pushes are due later, so the time of the call makes no
  /// difference. True if something has left.
  bool send_until(Cycle until);

 private:
  struct Due {
    Cycle at;
    Access* access;
  };
  struct alignas(64) Lane {  // in as few cache lines of the host as possible
    Outbox<Access> outbox;
    Ring<Due> due;
  };
  Cycle next_of(const Lane& lane) const {
    return lane.due.empty() ? kNever : std::max({lane.due.front().at, lane.outbox.ready_at(), link_.free_at()});
  }
  /// The usual case; computing a vector's size takes a division.
  bool single() const { return &lanes_.front() == &lanes_.back(); }
  void find_next() {
    next_ = kNever;
    for (const Lane& lane : lanes_) next_ = std::min(next_, next_of(lane));
  }
  Lane& next_in_turn(Cycle now);

  std::vector<Lane> lanes_;
  SharedLink link_;  ///< used with several channels; a single outbox suffices
  std::size_t turn_ = 0;
  std::size_t size_ = 0;
  Cycle next_ = kNever;
};

}  // namespace gputlm
