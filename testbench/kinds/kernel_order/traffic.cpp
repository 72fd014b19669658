#include "testbench/kinds/kernel_order/traffic.h"

namespace gputlm {

std::vector<KnobOf<KernelOrderKnobs>> kernel_order_knobs(const KernelOrderSize& size) {
  using K = KernelOrderKnobs;
  return {
      {{"kernels", 1, size.kernels, "Kernels in flight at most, a number"}, &K::kernels},
      {{"levels", 1, 1u << size.level_bits, "Levels of priority, a number"}, &K::levels},
      {{"arrivals", 0, 100, "Cycles with a warp that moves in, or a kernel that comes, if there is room"},
       &K::arrivals},
      {{"ends", 0, 100, "Other cycles, in which a kernel ends, if there is one"}, &K::ends},
      {{"next-ends", 0, 100, "Of these, of the kernel that was next"}, &K::next_ends},
      {{"pending", 0, 100, "Kernels with blocks left"}, &K::pending},
      {{"changes", 0, 100, "Cycles in which it is drawn anew whether a warp can issue, or a kernel has blocks left"},
       &K::changes},
      {{"resets", 0, 10000, "Resets in 10,000 cycles, a number"}, &K::resets},
  };
}

KernelOrderTraffic::KernelOrderTraffic(const KernelOrderSize& size, std::uint64_t seed, const FixedKnobs& fixed)
    : size_(size), fixed_(fixed), random_(seed) {}

/// A new mood. The extremes come often: they fill the table, and empty it.
void KernelOrderTraffic::new_episode() {
  const unsigned levels = 1u << size_.level_bits;
  episode_left_ = random_.one_of({100u, 300u, 1000u});
  knobs_.kernels = random_.one_of({1u, 2u, size_.kernels, size_.kernels});
  knobs_.levels = random_.one_of({1u, 2u, levels, levels});
  knobs_.arrivals = random_.one_of({5u, 50u, 90u});
  knobs_.ends = random_.one_of({5u, 50u, 100u});
  knobs_.next_ends = random_.one_of({0u, 50u, 100u});
  knobs_.pending = random_.one_of({10u, 50u, 100u, 100u});
  knobs_.changes = random_.one_of({2u, 50u, 100u});
  knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
  reset_due_ = random_.chance(50);
  fix(knobs_, kernel_order_knobs(size_), fixed_);
}

KernelOrderInputs KernelOrderTraffic::next(const KernelOrderReference& state, std::optional<unsigned> next) {
  if (episode_left_-- == 0) new_episode();
  KernelOrderInputs inputs;
  inputs.rst_n = !reset_due_ && random_.below(10000) >= knobs_.resets;
  reset_due_ = false;
  if (random_.chance(knobs_.changes)) {
    pending_ = {};
    for (unsigned k = 0; k < size_.kernels; ++k) {
      if (random_.chance(knobs_.pending)) set_bit(pending_, k);
    }
  }
  inputs.pending = pending_;
  const auto in_flight = static_cast<unsigned>(state.kernels().size());
  // What is shown of an event that does not happen does not matter.
  inputs.event_kernel = random_.below(size_.kernels);
  inputs.event_level = random_.below(knobs_.levels);
  inputs.event_enter = random_.chance(50);
  if (!inputs.rst_n) return inputs;
  if (in_flight < knobs_.kernels && random_.chance(knobs_.arrivals)) {
    inputs.event_valid = inputs.event_enter = true;
    while (state.in_flight(inputs.event_kernel)) inputs.event_kernel = (inputs.event_kernel + 1) % size_.kernels;
  } else if (in_flight > 0 && random_.chance(knobs_.ends)) {
    inputs.event_valid = true;
    inputs.event_enter = false;
    inputs.event_kernel = state.kernels()[random_.below(in_flight)].number;
    if (next && state.in_flight(*next) && random_.chance(knobs_.next_ends)) inputs.event_kernel = *next;
  }
  return inputs;
}

}  // namespace gputlm
