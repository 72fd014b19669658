/// A point at which a unit can be watched: probes and tests attach there from outside. Events of a window are stored and
/// reported, in order, when the unit is flushed, so the computation calls nothing outside. An unwatched tap costs the test
/// of a flag.
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
  /// To be called only if the tap is watched.
  void note(Event event) {
    if (events_.empty()) mark().set();
    events_.push_back(std::move(event));
  }
  /// In a simulation, call Unit::watch() instead, which also registers the tap for flushing.
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
