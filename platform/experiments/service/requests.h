/// When the requests of a service come: how many of each network follows from its share of the load.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/time.h"

namespace gputlm {

/// What is asked of one network.
struct Demand {
  Femtoseconds alone = 0;  ///< that a request takes by itself
  unsigned layers = 1;     ///< kernels of a request
  double share = 0;        ///< of the load; those of all networks add up to 1
};

struct Day {
  double load = 0;               ///< share of the time that all requests would take alone, one after the other
  std::vector<double> sections;  ///< of equal length: load of each over the mean
  std::uint64_t launches = 0;    ///< about so many of all networks: the day is as long as that takes
  unsigned burst = 1;            ///< requests that come at once; bursts are a Poisson process
  std::uint64_t seed = 0;
};

struct Requests {
  std::vector<std::vector<Femtoseconds>> times;  ///< releases, by network, in order; each network has one at least
  Femtoseconds section = 0;                      ///< length of each of the day's
};

Requests request_times(const Day& day, const std::vector<Demand>& demands);

}  // namespace gputlm
