#include "testbench/lockstep/random_numbers.h"

#include "models/kernel/random.h"

namespace gputlm {

std::uint32_t RandomNumbers::below(std::uint32_t n) {
  return static_cast<std::uint32_t>(uniform_below(mix(seed_ + ++drawn_ * kGoldenGamma), n));
}

}  // namespace gputlm
