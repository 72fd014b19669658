/// Constrained-random traffic for a regulator of memory budgets: requests at the heads of the applications' queues, and
/// starts of periods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

inline unsigned largest_number(unsigned bits) { return static_cast<unsigned>(largest_of(bits)); }

/// In per cent, unless the description says that it is a number.
#define REGULATOR_KNOBS(K)                                                                        \
  K(applications, 1, size.applications, "Applications that send requests, a number")              \
  K(heads, 0, 100, "Probability that an empty head is filled")                                    \
  K(bytes, 1, largest_of(size.length_bits), "Maximum bytes of a request, a number")               \
  K(budget, 1, largest_of(std::min(31u, size.token_bits)), "Maximum bytes of a budget, a number") \
  K(period, 1, 10000, "Mean cycles from the start of a period to the next, a number")             \
  K(together, 0, 100, "Starts of periods common to all applications")                             \
  K(back_pressure, 0, 100, "Grants that could be taken and are not")                              \
  K(resets, 0, 10000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(Regulator, REGULATOR_KNOBS);

class RegulatorTraffic : public EndlessTraffic {
 public:
  RegulatorTraffic(const RegulatorSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : size_(size), fixed_(fixed), random_(seed), heads_(size.applications) {}

  RegulatorInputs reset() const { return {}; }
  RegulatorInputs next(const RegulatorReference&, std::uint32_t) {
    if (episode_left_ == 0) new_episode();
    --episode_left_;
    const bool reset = reset_due_ || random_.below(10000) < knobs_.resets;
    reset_due_ = false;
    if (reset) {
      budgets_ = {};
      for (unsigned a = 0; a < size_.applications; ++a)
        budgets_.budget.put(a, size_.token_bits, 1 + random_.below(knobs_.budget));
    }
    RegulatorInputs inputs = budgets_;
    inputs.rst_n = !reset;
    const std::uint32_t all = (1u << size_.applications) - 1;
    if (random_.below(knobs_.period) == 0)
      inputs.begin = random_.chance(knobs_.together) ? all : random_.below(all + 1);
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (heads_[a] == 0 && a < knobs_.applications && random_.chance(knobs_.heads))
        heads_[a] = 1 + random_.below(knobs_.bytes);
      inputs.head_valid |= std::uint32_t{heads_[a] > 0} << a;
      // The value at a missing head does not matter.
      const std::uint32_t shown = heads_[a] > 0 ? heads_[a] : random_.below(1u << size_.length_bits);
      inputs.head_bytes.put(a, size_.length_bits, shown);
    }
    return inputs;
  }
  /// One of those that fit passes.
  bool answer(RegulatorInputs& inputs, std::uint32_t fits) {
    // In a reset the output has no effect.
    if (!inputs.rst_n || fits == 0 || random_.chance(knobs_.back_pressure)) return false;
    unsigned number = random_.below(static_cast<std::uint32_t>(__builtin_popcount(fits)));
    for (; number > 0; --number) fits &= fits - 1;
    inputs.pass = fits & -fits;
    return true;
  }
  void done(const RegulatorInputs& inputs, std::uint32_t) {
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (inputs.pass >> a & 1) heads_[a] = 0;
    }
  }

 private:
  /// A new episode. Budgets mostly cover only a few requests, so that they are used up.
  void new_episode() {
    const unsigned longest = largest_number(size_.length_bits), most = largest_number(std::min(31u, size_.token_bits));
    const bool is_first = episode_left_ == 0 && budgets_.budget == RegulatorBudgets();
    episode_left_ = random_.one_of({100u, 300u, 1000u});
    knobs_.applications = random_.one_of({1u, 2u, size_.applications, size_.applications});
    knobs_.heads = random_.one_of({5u, 30u, 100u, 100u});
    knobs_.bytes = random_.one_of({1u, 2u, 4u, longest, longest});
    knobs_.budget = random_.one_of({2u, longest / 2 + 1, 2 * longest, 8 * longest, most});
    knobs_.period = random_.one_of({1u, 4u, 10u, 40u});
    knobs_.together = random_.one_of({0u, 50u, 100u, 100u});
    knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 90u});
    knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
    reset_due_ = is_first || random_.chance(50);  // the first reset sets the budgets
    fix(knobs_, RegulatorKnobs::all(size_), fixed_);
    knobs_.applications = std::min(knobs_.applications, size_.applications);
    knobs_.bytes = std::min(knobs_.bytes, longest);
    knobs_.budget = std::min(knobs_.budget, most);
  }

  RegulatorSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  RegulatorKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;            ///< at the start of the episode
  RegulatorInputs budgets_;           ///< only the budgets are used
  std::vector<std::uint32_t> heads_;  ///< bytes by application; 0: there is none
};

}  // namespace gputlm
