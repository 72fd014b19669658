/// Events of the same kind that several units tell, in the order of time, whatever the window; of those at once, the first
/// unit's first. Those of a single unit are passed on as they come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "tlm/time.h"
#include "tlm/unit.h"

namespace gputlm {

/// What units tell window by window, in the order of time.

/// When an event is told, which is no earlier than the beginning of the window in which it is, and by whom: events are
/// taken in this order, those of the same key as they come.
struct TimeKey {
  Femtoseconds at = 0;
  std::uint32_t source = 0;
};

/// Passes events on in order as soon as nothing earlier can come, so that the order is the same whatever the window, and
/// memory does not grow with the run.
template <class Event>
class TimeOrder {
 public:
  using Take = std::function<void(Femtoseconds at, const Event& event)>;
  explicit TimeOrder(Take take) : take_(std::move(take)) {}

  void add(TimeKey key, Event event) {
    latest_ = std::max(latest_, key.at);
    entries_.push_back({key, std::move(event)});
    if (entries_.size() < most_) return;
    take_before(now_fs());  // windows that are computed from now on begin now
    most_ = std::max(kEntries, 2 * entries_.size());
  }
  /// Nothing comes any more.
  void finish() { take_before(kNever); }
  /// The latest time that has come.
  Femtoseconds latest() const { return latest_; }

 private:
  static constexpr std::size_t kEntries = 1 << 14;
  struct Entry {
    TimeKey key;
    Event event;
  };

  void take_before(Femtoseconds time) {
    const auto later = std::stable_partition(entries_.begin(), entries_.end(),
                                             [&](const Entry& entry) { return entry.key.at < time; });
    std::stable_sort(entries_.begin(), later, [](const Entry& a, const Entry& b) {
      return std::tie(a.key.at, a.key.source) < std::tie(b.key.at, b.key.source);
    });
    for (auto entry = entries_.begin(); entry != later; ++entry) take_(entry->key.at, entry->event);
    entries_.erase(entries_.begin(), later);
  }

  Take take_;
  Femtoseconds latest_ = 0;
  std::vector<Entry> entries_;
  std::size_t most_ = kEntries;  ///< before some are taken
};

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
