/// A place in a unit where it can be watched: probes and tests attach there from outside. What happens while a window is
/// computed is kept and told when the unit is flushed, in the order in which it happened, so computing calls nothing
/// outside. An unwatched tap costs the test of a flag.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "tlm/flushable.h"

namespace gputlm {

template <class Event>
class Tap final : public Flushable {
 public:
  using Watcher = std::function<void(const Event&)>;

  bool watched() const { return watched_; }
  /// To be called if the tap is watched.
  void note(Event event) {
    if (events_.empty()) mark().set();
    events_.push_back(std::move(event));
  }
  /// In a simulation to be called by Unit::watch(), which sees to the flushing.
  void watch(Watcher watcher) {
    watchers_.push_back(std::move(watcher));
    watched_ = true;
  }
  void flush() override {
    for (const Event& event : events_) {
      for (const Watcher& watcher : watchers_) watcher(event);
    }
    events_.clear();
  }

 private:
  bool watched_ = false;
  std::vector<Event> events_;
  std::vector<Watcher> watchers_;
};

}  // namespace gputlm
