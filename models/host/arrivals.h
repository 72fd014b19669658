/// When the jobs of a task are released: periodic, with jitter, sporadic, or at given times. What is random is a pure
/// function of a seed and the job's number (models/kernel/random.h), so that it does not depend on anything else.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

struct Arrivals {
  std::uint64_t jobs = 1;
  Femtoseconds first = 0;     ///< release of the first, before jitter
  Femtoseconds period = 0;    ///< least time from a release to the next, before jitter
  Femtoseconds sporadic = 0;  ///< mean of what that time is longer, exponentially distributed; period 0: Poisson
  Femtoseconds jitter = 0;    ///< a release is later by up to this, uniformly distributed
  std::uint64_t seed = 0;
};

/// The release times of all jobs, none before the one of the job before: jobs of a task keep their order.
std::vector<Femtoseconds> release_times(const Arrivals& arrivals);

}  // namespace gputlm
