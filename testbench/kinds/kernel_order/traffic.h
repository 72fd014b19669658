/// Constrained-random traffic for a kernel order: kernels that arrive and end, and their blocks left to send.
#pragma once

#include <cstdint>

#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// In per cent, unless the description says that it is a number.
#define KERNEL_ORDER_KNOBS(K)                                                                               \
  K(kernels, 1, size.kernels, "Maximum kernels in flight, a number")                                        \
  K(levels, 1, 1u << size.level_bits, "Levels of priority, a number")                                       \
  K(arrivals, 0, 100, "Cycles in which a warp or a kernel arrives, if there is room")                       \
  K(ends, 0, 100, "Other cycles in which a kernel ends, if there is one")                                   \
  K(next_ends, 0, 100, "Share of these in which the next kernel ends")                                      \
  K(pending, 0, 100, "Kernels with blocks left")                                                            \
  K(changes, 0, 100, "Cycles in which it is redrawn whether a warp can issue, or a kernel has blocks left") \
  K(resets, 0, 10000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(KernelOrder, KERNEL_ORDER_KNOBS);

class KernelOrderTraffic : public EndlessTraffic {
 public:
  KernelOrderTraffic(const KernelOrderSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : size_(size), fixed_(fixed), random_(seed) {}
  KernelOrderInputs reset() const { return {}; }
  KernelOrderInputs next(const KernelOrderReference& state, std::optional<unsigned> next) {
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
    // The values of an absent event do not matter.
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
  /// Each cycle with a grant is a decision.
  bool answer(KernelOrderInputs&, std::optional<unsigned> granted) const { return granted.has_value(); }
  void done(const KernelOrderInputs&, std::optional<unsigned>) {}

 private:
  /// A new episode. The extremes are frequent: they fill the table, and empty it.
  void new_episode() {
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
    fix(knobs_, KernelOrderKnobs::all(size_), fixed_);
  }

  KernelOrderSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  KernelOrderKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  KernelNumbers pending_{};
  bool reset_due_ = false;  ///< at the start of the episode
};

}  // namespace gputlm
