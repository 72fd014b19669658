/// Decides for each window whether all threads or only one compute it: all of them if that has lately been faster by
/// kGain, since less does not repay the processors that they occupy. Small windows do not repay the synchronisation, data
/// travels between cores, and on a busy machine threads wait for one another; so the gain itself is measured, again and
/// again. It depends on host time, so nothing in the results may depend on it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace gputlm {

class WindowPace {
 public:
  using Nanoseconds = std::uint64_t;

  static constexpr double kGain = 1.3;  ///< minimum speedup of all threads over one for which all compute

  /// Whether all threads compute the next window.
  bool together() const { return together_; }
  /// Whether the next window is the first of a trial.
  bool begins_trial() const { return phase_ == Phase::kMeasuring && windows_ == 0; }
  /// Whether one thread computes the next window and measures how long each unit takes.
  bool measures() const { return phase_ == Phase::kMeasuring; }

  /// Records that a window in which `due` units were due, 1 or more, took `time`.
  void took(Nanoseconds time, std::uint64_t due) {
    if (phase_ == Phase::kAlone || phase_ == Phase::kTogether) trial_[windows_] = {time, due};
    time_ += time;
    due_ += due;
    ++windows_;
    switch (phase_) {
      case Phase::kMeasuring:  // reads the clock for each unit, so it says nothing about one thread
        if (windows_ == kMeasured) enter(Phase::kAlone, false);
        return;
      case Phase::kAlone:
        if (windows_ < kTrial) return;
        alone_ = usual();
        return enter(Phase::kWarming, true);
      case Phase::kWarming:  // while the units' state moves into other caches
        if (windows_ < kTrial && (windows_ < kFew || mean() < kHopeless * alone_)) return;
        return mean() < kHopeless * alone_ ? enter(Phase::kTogether, true) : choose(false);
      case Phase::kTogether:
        if (windows_ == kTrial) choose(kGain * usual() <= alone_);
        return;
      case Phase::kChosen:
        if (windows_ % kCheck != 0) return;
        left_ -= windows_;
        if (together_ && mean() > alone_) return choose(false);
        if (left_ == 0) return enter(Phase::kMeasuring, false);
        time_ = due_ = windows_ = 0;
        return;
    }
  }

 private:
  enum class Phase : std::uint8_t { kMeasuring, kAlone, kWarming, kTogether, kChosen };
  static constexpr unsigned kTrial = 32, kMeasured = 16, kFew = 8;  ///< numbers of windows
  static constexpr unsigned kCheck = 256;                           ///< windows after which a choice is reviewed
  static constexpr unsigned kShortest = 512, kMax = 16384;  ///< windows before the next trial; multiples of kCheck
  static constexpr double kHopeless = 5;                    ///< slowdown relative to one thread that ends a trial

  struct Window {
    Nanoseconds time = 0;
    std::uint64_t due = 1;
    double each() const { return static_cast<double>(time) / static_cast<double>(due); }
  };

  void enter(Phase phase, bool together) {
    phase_ = phase;
    together_ = together;
    time_ = due_ = windows_ = 0;
  }
  /// The more often the choice is the same, the longer it holds.
  void choose(bool together) {
    length_ = together == chosen_ ? std::min(2 * length_, kMax) : kShortest;
    chosen_ = together;
    left_ = length_;
    enter(Phase::kChosen, together);
  }
  /// Nanoseconds per due unit since the phase began.
  double mean() const { return static_cast<double>(time_) / static_cast<double>(due_); }
  /// The same for a trial, without the slowest quarter of its windows: a thread held up a few times does not matter.
  double usual() {
    const auto slowest = trial_.end() - kTrial / 4;
    std::nth_element(trial_.begin(), slowest, trial_.end(),
                     [](const Window& a, const Window& b) { return a.each() < b.each(); });
    Window sum{0, 0};
    for (auto window = trial_.begin(); window != slowest; ++window) {
      sum.time += window->time;
      sum.due += window->due;
    }
    return sum.each();
  }

  Phase phase_ = Phase::kMeasuring;
  bool together_ = false, chosen_ = false;
  unsigned windows_ = 0, left_ = 0, length_ = kShortest;
  std::uint64_t time_ = 0, due_ = 0;
  std::array<Window, kTrial> trial_{};
  double alone_ = 0;  ///< nanoseconds per due unit, with one thread
};

}  // namespace gputlm
