/// Merges events of several units in the order of time, for every window; among simultaneous events, those of the first
/// unit come first. Events of a single unit are passed on immediately.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <tuple>
#include <utility>
#include <vector>

#include "tlm/base/time.h"
#include "tlm/unit.h"

namespace gputlm {

/// Events that units report window by window, in the order of time.

/// The time at which an event is reported, not before the start of its window, and its source. Events are taken in this
/// order; those with the same key keep their order of arrival.
struct TimeKey {
  Femtoseconds at = 0;
  std::uint32_t source = 0;
};

/// Passes events on in order as soon as nothing earlier can come. So the order does not depend on the window, and memory does
/// not grow with the run.
template <class Event>
class TimeOrder {
 public:
  using Take = std::function<void(Femtoseconds at, const Event& event)>;
  explicit TimeOrder(Take take) : take_(std::move(take)) {}

  void add(TimeKey key, Event event) {
    latest_ = std::max(latest_, key.at);
    entries_.push_back({key, std::move(event)});
    if (entries_.size() < most_) return;
    take_before(now_fs());  // later windows begin at this time or after it
    most_ = std::max(kEntries, 2 * entries_.size());
  }
  /// To be called when no more events come.
  void finish() { take_before(kNever); }
  /// The latest time reported so far.
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
  std::size_t most_ = kEntries;  ///< number of entries at which some are taken
};

template <class Event>
class Merged {
 public:
  using Take = std::function<void(const Event&)>;

  /// `at`: the time at which an event is reported.
  Merged(std::size_t units, const Clock& clock, Cycle Event::*at, Take take)
      : one_(units == 1), clock_(clock), at_(at), take_(std::move(take)) {}
  Merged(const Merged&) = delete;
  Merged& operator=(const Merged&) = delete;

  /// Watches a unit.
  Take from(std::size_t unit) {
    if (one_) return take_;
    return [this, source = static_cast<std::uint32_t>(unit)](const Event& event) {
      order_.add({clock_.edge(event.*at_), source}, event);
    };
  }
  /// To be called when no more events come.
  void finish() { order_.finish(); }

 private:
  bool one_;
  Clock clock_;
  Cycle Event::*at_;
  Take take_;
  TimeOrder<Event> order_{[this](Femtoseconds, const Event& event) { take_(event); }};
};

}  // namespace gputlm
