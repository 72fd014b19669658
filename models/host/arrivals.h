/// Release times of a task's jobs: periodic, with jitter, sporadic, or given. Random values are a pure function of a seed
/// and the job's number (models/kernel/random.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tlm/base/record.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr std::uint64_t kMaxRepeats = 1000000;
inline constexpr double kMaxSporadicUs = 1e8;  ///< maximum mean; a draw may be 45 times as long

struct Arrivals {
  std::uint64_t jobs = 1;
  Femtoseconds first = 0;     ///< release of the first job, before jitter
  Femtoseconds period = 0;    ///< minimum time between releases, before jitter
  Femtoseconds sporadic = 0;  ///< mean of the exponentially distributed additional time; period 0: Poisson
  Femtoseconds jitter = 0;    ///< maximum delay of a release, uniformly distributed
  std::optional<std::uint64_t> seed = std::nullopt;  ///< seed of random values; to be set before release_times()

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Arrivals;
    v.field(&S::first, "release_us", Microseconds{0, kMaxReleaseUs}, "Release time, from the start of the phase");
    v.field(&S::jobs, "repeat", Whole{1, kMaxRepeats, "times"}, "Number of releases");
    v.field(&S::period, "period_us", Microseconds{0, kMaxReleaseUs}, "Minimum time between releases");
    v.field(&S::sporadic, "sporadic_us", Microseconds{0, kMaxSporadicUs}, "Mean of the random time added to it");
    v.field(&S::jitter, "jitter_us", Microseconds{0, kMaxReleaseUs}, "Maximum random delay of a release");
    v.field(&S::seed, "seed", Whole{0, ~std::uint64_t{0}, kPlain}, "Seed of the draws");
  }
};

/// The release times of all jobs, in ascending order: jobs of a task keep their order.
std::vector<Femtoseconds> release_times(const Arrivals& arrivals);

}  // namespace gputlm
