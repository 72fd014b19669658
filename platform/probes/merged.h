/// Events of the same kind that several units tell, in the order of time, whatever the window; of those at once, the first
/// unit's first. Those of a single unit are passed on as they come.
#pragma once

#include <functional>
#include <utility>

#include "platform/probes/time_order.h"
#include "tlm/time.h"

namespace gputlm {

template <class Event>
class Merged {
 public:
  using Take = std::function<void(const Event&)>;

  /// `at`: when an event is told.
  Merged(std::size_t units, const Clock& clock, Cycle Event::*at, Take take)
      : one_(units == 1), clock_(clock), at_(at), take_(std::move(take)) {}
  Merged(const Merged&) = delete;
  Merged& operator=(const Merged&) = delete;

  /// What watches a unit.
  Take from(std::size_t unit) {
    if (one_) return take_;
    return [this, source = static_cast<std::uint32_t>(unit)](const Event& event) {
      order_.add({clock_.edge(event.*at_), source}, event);
    };
  }
  /// Nothing comes any more.
  void finish() { order_.finish(); }

 private:
  bool one_;
  Clock clock_;
  Cycle Event::*at_;
  Take take_;
  TimeOrder<Event> order_{[this](Femtoseconds, const Event& event) { take_(event); }};
};

}  // namespace gputlm
