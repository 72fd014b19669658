#include "testbench/cost/clock.h"

#include <cmath>

namespace gputlm::cost {

ClockFit fit(const Implementation& implementation, unsigned clock_mhz) {
  const double cycle = 1000.0 / clock_mhz;  // in ns
  const double share = implementation.delays.critical() / cycle;
  return {share, static_cast<unsigned>(std::ceil(share)),
          implementation.delays.register_to_register.value_or(0) / cycle};
}

}  // namespace gputlm::cost
