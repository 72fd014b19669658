/// Decides for each window whether all threads or one alone compute it, whichever was faster lately. Small windows do not
/// repay the synchronisation, and on a busy machine threads wait for one another. It depends on host time, so nothing in
/// the results may depend on it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace gputlm {

class WindowPace {
 public:
  using Nanoseconds = std::uint64_t;

  /// Whether all threads compute the next window.
  bool together() const { return together_; }
  /// Whether the next window is the first of a trial that one thread computes.
  bool begins_trial() const { return phase_ == Phase::kAlone && windows_ == 0; }
  /// Whether a trial of one thread is in progress, which measures how long each unit takes.
  bool measures() const { return phase_ == Phase::kAlone; }

  /// Records that a window in which `due` units were due, 1 or more, took `time`.
  void took(Nanoseconds time, std::uint64_t due) {
    time_ += time;
    due_ += due;
    ++windows_;
    const double each = static_cast<double>(time_) / static_cast<double>(due_);
    switch (phase_) {
      case Phase::kAlone:
        if (windows_ < kTrial) return;
        alone_ = each;
        return enter(Phase::kWarming, true);
      case Phase::kWarming:  // while the units' state moves into other caches
        if (windows_ < kTrial && (windows_ < kFew || each < kHopeless * alone_)) return;
        return each < kHopeless * alone_ ? enter(Phase::kTogether, true) : choose(false, true);
      case Phase::kTogether:  // by majority of windows: a thread held up once does not matter
        if (static_cast<double>(time) < alone_ * static_cast<double>(due)) ++faster_;
        if (windows_ == kTrial) choose(2 * faster_ > kTrial, 2 * faster_ > kTrial);
        return;
      case Phase::kChosen:
        if (windows_ % kCheck != 0) return;
        left_ -= windows_;
        if (together_ && each > kWorse * alone_) return choose(false, true);
        if (left_ == 0) return enter(Phase::kAlone, false);
        time_ = due_ = windows_ = 0;
        return;
    }
  }

 private:
  enum class Phase : std::uint8_t { kAlone, kWarming, kTogether, kChosen };
  static constexpr unsigned kTrial = 32, kFew = 8;          ///< windows
  static constexpr unsigned kCheck = 256;                   ///< windows after which a choice is reviewed
  static constexpr unsigned kShortest = 512, kMax = 16384;  ///< windows before the next trial; multiples of kCheck
  static constexpr double kHopeless = 5, kWorse = 1.2;      ///< slowdowns relative to one thread

  void enter(Phase phase, bool together) {
    phase_ = phase;
    together_ = together;
    time_ = due_ = windows_ = faster_ = 0;
  }
  /// The more often the same choice has clearly been better, the longer it holds.
  void choose(bool together, bool clearly) {
    length_ = clearly && together == chosen_ ? std::min(2 * length_, kMax) : kShortest;
    chosen_ = together;
    left_ = length_;
    enter(Phase::kChosen, together);
  }

  Phase phase_ = Phase::kAlone;
  bool together_ = false, chosen_ = false;
  unsigned windows_ = 0, faster_ = 0, left_ = 0, length_ = kShortest;
  std::uint64_t time_ = 0, due_ = 0;
  double alone_ = 0;  ///< nanoseconds per due unit, with one thread
};

}  // namespace gputlm
