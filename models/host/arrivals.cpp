#include "models/host/arrivals.h"

#include <algorithm>

#include "models/kernel/random.h"

namespace gputlm {
namespace {

/// `mean` times an exponential draw of mean 1.
Femtoseconds exponential(std::uint64_t bits, Femtoseconds mean) {
  return static_cast<Femtoseconds>((static_cast<unsigned __int128>(minus_ln(bits)) * mean) >> 32);
}

}  // namespace

std::vector<Femtoseconds> release_times(const Arrivals& arrivals) {
  enum Draw : std::uint64_t { kGap, kJitter };
  std::vector<Femtoseconds> times;
  times.reserve(arrivals.jobs);
  Femtoseconds due = arrivals.first, last = 0;
  for (std::uint64_t job = 0; job < arrivals.jobs; ++job) {
    const std::uint64_t key = derive(mix(arrivals.seed.value_or(0)), job);
    if (job > 0) due += arrivals.period;
    if (job > 0 && arrivals.sporadic > 0) due += exponential(derive(key, kGap), arrivals.sporadic);
    const Femtoseconds jitter = arrivals.jitter ? uniform_below(derive(key, kJitter), arrivals.jitter + 1) : 0;
    last = std::max(last, due + jitter);
    times.push_back(last);
  }
  return times;
}

}  // namespace gputlm
