/// When the jobs of a task are released: periodic, with jitter, sporadic, or at given times. What is random is a pure
/// function of a seed and the job's number (models/kernel/random.h), so that it does not depend on anything else.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/record.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr std::uint64_t kMaxRepeats = 1000000;
inline constexpr double kMaxSporadicUs = 1e8;  ///< a draw may be 45 times the mean

struct Arrivals {
  std::uint64_t jobs = 1;
  Femtoseconds first = 0;     ///< release of the first, before jitter
  Femtoseconds period = 0;    ///< least time from a release to the next, before jitter
  Femtoseconds sporadic = 0;  ///< mean of what that time is longer, exponentially distributed; period 0: Poisson
  Femtoseconds jitter = 0;    ///< a release is later by up to this, uniformly distributed
  std::optional<std::uint64_t> seed = std::nullopt;  ///< of what is drawn; none: release_times() is told one

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Arrivals;
    v.field(&S::first, "release_us", Microseconds{0, kMaxReleaseUs}, "Not before, from the start of the phase");
    v.field(&S::jobs, "repeat", Whole{1, kMaxRepeats, "times"}, "How often");
    v.field(&S::period, "period_us", Microseconds{0, kMaxReleaseUs}, "Least time from a release to the next");
    v.field(&S::sporadic, "sporadic_us", Microseconds{0, kMaxSporadicUs}, "Mean of what that time is longer");
    v.field(&S::jitter, "jitter_us", Microseconds{0, kMaxReleaseUs}, "Each release is later by up to so much");
    v.field(&S::seed, "seed", Whole{0, ~std::uint64_t{0}, kPlain}, "Of what is drawn");
  }
};

/// The release times of all jobs, none before the one of the job before: jobs of a task keep their order.
std::vector<Femtoseconds> release_times(const Arrivals& arrivals);

}  // namespace gputlm
