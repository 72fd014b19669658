/// Time in the model.
///
/// Within a clock domain, time is an integer number of cycles; between domains it is an integer number of femtoseconds. A
/// period is a whole number of femtoseconds, so that the conversion is exact both ways and rounding never decides an order
/// (1365 MHz becomes 732,601 fs: off by less than one part in a million).
#pragma once

#include <cstdint>
#include <limits>

namespace gputlm {

using Cycle = std::uint64_t;         ///< cycles of the clock domain at hand
using Femtoseconds = std::uint64_t;  ///< absolute simulated time, up to kEndOfTime
using Address = std::uint64_t;       ///< byte address in the GPU's memory
using Bytes = std::uint64_t;

/// "Not until something arrives": later than every cycle and every time.
inline constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
/// The end of every run: five hours. 2^64 fs are seven minutes more, which leaves room for look-ahead.
inline constexpr Femtoseconds kEndOfTime = 18'000'000'000'000'000'000u;

inline constexpr double kMaxReleaseUs = 3.6e9;  ///< latest release time, deadline, or end of a wait: an hour

/// `t + delay`, at most kEndOfTime.
inline Femtoseconds later(Femtoseconds t, Femtoseconds delay) {
  return t < kEndOfTime && delay < kEndOfTime - t ? t + delay : kEndOfTime;
}

/// A clock domain: edge n is at n * period.
class Clock {
 public:
  explicit Clock(Femtoseconds period) : period_(period), reciprocal_(~std::uint64_t{0} / period) {}
  static Clock from_mhz(double mhz) { return Clock(static_cast<Femtoseconds>(1e9 / mhz + 0.5)); }

  Femtoseconds period() const { return period_; }
  /// Time of edge `n`; kNever stays kNever.
  Femtoseconds edge(Cycle n) const { return n == kNever ? kNever : n * period_; }
  /// First edge at or after `t`; kNever stays kNever.
  Cycle at_or_after(Femtoseconds t) const { return t == kNever ? kNever : edge_from(t); }
  /// The same for a `t` that is not kNever.
  Cycle edge_from(Femtoseconds t) const {
    const Cycle n = about(t);
    const Femtoseconds rest = t - n * period_;
    return n + (rest > 0) + (rest > period_);
  }
  /// Last edge at or before `t`, which is not kNever.
  Cycle at_or_before(Femtoseconds t) const {
    const Cycle n = about(t);
    return n + (t - n * period_ >= period_);
  }

 private:
  /// at_or_before(t), or one less, since the reciprocal falls short of 2^64 / period by at most 1. It has no division and
  /// no unpredictable branch: it is on the path of every hop.
  Cycle about(Femtoseconds t) const {
    return static_cast<Cycle>((static_cast<unsigned __int128>(t) * reciprocal_) >> 64);
  }

  Femtoseconds period_;
  std::uint64_t reciprocal_;
};

/// Converts a cycle of one clock to another: the last edge of `to` at or before the edge of `from`.
struct ClockChange {
  Clock from, to;

  Cycle operator()(Cycle n) const { return to.at_or_before(from.edge(n)); }
};

}  // namespace gputlm
