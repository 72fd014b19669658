/// Constrained-random traffic for a kernel order: kernels that come and end, and what of them is left to be sent.
#pragma once

#include <cstdint>

#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct KernelOrderKnobs {
  unsigned kernels = 2;    ///< in flight, at most, a number
  unsigned levels = 1;     ///< of priority, a number
  unsigned arrivals = 50;  ///< of the cycles in which a kernel comes, if there is room
  unsigned ends = 50;      ///< of the other cycles in which one ends, if there is one
  unsigned next_ends = 0;  ///< of these, of the kernel that is next
  unsigned pending = 50;   ///< of the kernels that have blocks left
  unsigned changes = 50;   ///< of the cycles in which that is drawn anew
  unsigned resets = 5;     ///< in 10,000 cycles, a number
};

std::vector<KnobOf<KernelOrderKnobs>> kernel_order_knobs(const KernelOrderSize& size);

class KernelOrderTraffic : public EndlessTraffic {
 public:
  KernelOrderTraffic(const KernelOrderSize& size, std::uint64_t seed, const FixedKnobs& fixed);
  /// The inputs of the next cycle, given what is in flight. `next`: the kernel that was next in the last cycle.
  KernelOrderInputs next(const KernelOrderReference& state, std::optional<unsigned> next);
  /// Each cycle in which one is granted is a decision.
  bool sends(std::optional<unsigned> granted) const { return granted.has_value(); }
  void done() {}

 private:
  void new_episode();

  KernelOrderSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  KernelOrderKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  KernelNumbers pending_{};
  bool reset_due_ = false;  ///< at the start of the episode
};

}  // namespace gputlm
