/// A recording that is played on a design instead of random traffic.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tlm/base/error.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Progress of the playback.
struct Played {
  std::uint64_t cycles = 0;   ///< clock cycles since the first event; most of them may be idle
  std::uint64_t answers = 0;  ///< number of answers that the design gave
  std::uint64_t others = 0;   ///< number of answers that differ from the recording
};

/// What the traffic of every kind has that plays a recording: events, each with its cycle `at`, one after the other. None is
/// played before its cycle, and as many per cycle as fit. An event that does not fit waits for the next cycle, and so do those
/// behind it. A reset precedes the first one.
template <class Event>
class Playback {
 public:
  /// `events` must outlive it and must not be empty.
  explicit Playback(const std::vector<Event>& events) : events_(events) {}

  bool ended() const { return next_ == events_.size(); }
  /// Number of clock cycles that the last step covers.
  std::uint64_t cycles() const { return cycles_; }
  Played played() const { return counts_; }

 protected:
  /// Advances to the next cycle or, if nothing happens, over several cycles up to the next event, but at most `most`.
  /// `add(event)` adds an event to the cycle, and returns false if it does not fit. Returns false for the reset.
  template <class Add>
  bool step(Add add, std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
    if (!started_) {
      started_ = true;
      return false;
    }
    now_ = events_.front().at + counts_.cycles;
    cycles_ = events_[next_].at > now_ ? std::min<std::uint64_t>(events_[next_].at - now_, most) : 1;
    while (next_ < events_.size() && events_[next_].at <= now_ && add(events_[next_])) ++next_;
    counts_.cycles += cycles_;
    return true;
  }
  /// Cycle of the recording in the last step.
  Cycle now() const { return now_; }

  Played counts_;

 private:
  const std::vector<Event>& events_;
  std::size_t next_ = 0;
  std::uint64_t cycles_ = 0;
  Cycle now_ = 0;
  bool started_ = false;
};

/// Throws InputError if a recorded value exceeds a limit of the design.
inline void played_at_most(const char* what, std::uint64_t found, std::uint64_t most) {
  if (found <= most) return;
  throw InputError("the recording has a " + std::string(what) + " of " + std::to_string(found) +
                   ", allowed in a design of this size: " + std::to_string(most));
}

}  // namespace gputlm
