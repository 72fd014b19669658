#include "models/l2/lanes.h"

namespace gputlm {

bool Lanes::send_until(Cycle until) {
  if (next_ >= until) return false;
  if (single()) {
    Lane& lane = lanes_.front();
    do {
      --size_;
      lane.outbox.send(next_, *lane.due.pop().access);
      next_ = next_of(lane);
    } while (next_ < until);
    return true;
  }
  do {
    Lane& lane = next_in_turn(next_);
    Access& access = *lane.due.pop().access;
    --size_;
    lane.outbox.send(next_, access);
    link_.sent(next_, access.flits);
    find_next();
  } while (next_ < until);
  return true;
}

Lanes::Lane& Lanes::next_in_turn(Cycle now) {
  while (next_of(lanes_[turn_]) > now) turn_ = (turn_ + 1) % lanes_.size();
  Lane& lane = lanes_[turn_];
  turn_ = (turn_ + 1) % lanes_.size();
  return lane;
}

}  // namespace gputlm
