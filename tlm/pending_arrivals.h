/// Items on their way from a peer outside the model into a unit's queue, sorted by time: such a peer may annotate a call
/// with any delay, and the next call with a shorter one.
#pragma once

#include <algorithm>
#include <deque>

#include "tlm/port_base.h"

namespace gputlm {

template <class Item>
class PendingArrivals {
 public:
  /// Items at the same time keep the order of add().
  void add(Femtoseconds at, Item& item) {
    const auto later = std::upper_bound(waiting_.begin(), waiting_.end(), at,
                                        [](Femtoseconds t, const Arrival& arrival) { return t < arrival.at; });
    waiting_.insert(later, {at, &item});
  }
  /// Hands the next items to the port's unit, after `each(item)`, before the unit computes their time. To be called again
  /// when the unit is flushed.
  template <class Each>
  void deliver(PortBase<Item>& port, Each each) {
    const Femtoseconds cycle = port.owner().clock().period();
    for (; !waiting_.empty(); waiting_.pop_front()) {
      const Arrival next = waiting_.front();
      if (next.at > port.owner().now() + 2 * cycle) return port.owner().wake(next.at - cycle);
      latest_ = std::max(latest_, next.at);
      each(*next.item);
      port.arrive(latest_, *next.item);
    }
  }

 private:
  struct Arrival {
    Femtoseconds at;
    Item* item;
  };
  std::deque<Arrival> waiting_;
  Femtoseconds latest_ = 0;
};

}  // namespace gputlm
