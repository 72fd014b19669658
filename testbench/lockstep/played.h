/// A recording that is played on a design, in the place of random traffic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// What has been played so far.
struct Played {
  std::uint64_t cycles = 0;   ///< of the clock, from the first event on; most of them may be idle
  std::uint64_t answers = 0;  ///< that the design was asked for and gave
  std::uint64_t others = 0;   ///< questions that were answered otherwise in the recording
};

/// Random traffic, as opposed to what is played: it has no end, and each cycle is a cycle.
struct EndlessTraffic {
  bool ended() const { return false; }
  std::uint64_t cycles() const { return 1; }
  Played played() const { return {}; }
};

/// Events, each with the cycle `at` in which it happened, one after the other: none before its cycle, and as many in a cycle
/// as fit. One that does not fit waits for the next cycle, and what came after it waits, too. A reset goes before the first.
template <class Event>
class Playback {
 public:
  /// `events` must outlive it, and there must be some.
  explicit Playback(const std::vector<Event>& events) : events_(events) {}

  /// The next cycle, or, as long as nothing happens, all until something does, `most` at most. `add(event)` puts an event
  /// into it, and answers false if it does not fit. False for the reset.
  template <class Add>
  bool step(Add add, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    if (!started_) {
      started_ = true;
      return false;
    }
    now_ = events_.front().at + counts.cycles;
    cycles_ = events_[next_].at > now_ ? std::min<std::uint64_t>(events_[next_].at - now_, most) : 1;
    while (next_ < events_.size() && events_[next_].at <= now_ && add(events_[next_])) ++next_;
    counts.cycles += cycles_;
    return true;
  }
  bool ended() const { return next_ == events_.size(); }
  /// Of the recording, in the last step.
  Cycle now() const { return now_; }
  /// Of the clock, that the last step stands for.
  std::uint64_t cycles() const { return cycles_; }

  Played counts;

 private:
  const std::vector<Event>& events_;
  std::size_t next_ = 0;
  std::uint64_t cycles_ = 0;
  Cycle now_ = 0;
  bool started_ = false;
};

}  // namespace gputlm
