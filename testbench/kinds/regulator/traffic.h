/// Traffic for a regulator of memory budgets, constrained-random or of a recording: requests at the heads of the applications'
/// queues, and starts of periods.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "models/regulator/decisions.h"
#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

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

class RegulatorTraffic : public RandomTraffic<RegulatorSize, RegulatorKnobs> {
 public:
  RegulatorTraffic(const RegulatorSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : RandomTraffic(size, seed, fixed), heads_(size.applications) {}

  RegulatorInputs reset() const { return {}; }
  RegulatorInputs next(const RegulatorReference&, std::uint32_t) {
    if (episode_left_ == 0) new_episode();
    --episode_left_;
    const bool reset = draw_reset();
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

  RegulatorInputs budgets_;           ///< only the budgets are used
  std::vector<std::uint32_t> heads_;  ///< bytes of each application's request; 0: there is none
};

struct RegulatorRecording {
  std::vector<Bytes> budgets;  ///< budgets, indexed by number
  std::vector<RegulatorEvent> events;
};

/// The traffic that a regulator of memory budgets had in a run: at most one request passes per cycle, and periods start at
/// the end of a cycle. Waiting heads stay until they pass.
class PlayedRegulator : public Playback<RegulatorEvent> {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedRegulator(const RegulatorSize& size, const RegulatorRecording& recording)
      : Playback(recording.events), size_(size) {
    played_at_most("number of applications with a budget", recording.budgets.size(), size.applications);
    for (unsigned a = 0; a < recording.budgets.size(); ++a) {
      played_at_most("budget", recording.budgets[a], largest_of(size.token_bits));
      inputs_.budget.put(a, size.token_bits, recording.budgets[a]);
    }
    for (const RegulatorEvent& event : recording.events) {
      played_at_most("number of applications with a budget", event.number + 1u, size.applications);
      if (event.kind != RegulatorEvent::Kind::kBegins)
        played_at_most("number of bytes of a request", event.bytes, largest_of(size.length_bits));
    }
  }

  RegulatorInputs reset() const { return {}; }
  RegulatorInputs next(const RegulatorReference&, std::uint32_t) {
    passes_ = waits_ = inputs_.begin = 0;
    inputs_.rst_n = step([&](const RegulatorEvent& event) { return add(event); });
    return inputs_;
  }
  /// Of those that fit, the one that passed in the run passes.
  bool answer(RegulatorInputs& inputs, std::uint32_t fits) {
    counts_.answers += static_cast<unsigned>(__builtin_popcount(passes_) + __builtin_popcount(waits_));
    counts_.others += static_cast<unsigned>(__builtin_popcount(passes_ & ~fits) + __builtin_popcount(waits_ & fits));
    inputs.pass = inputs.rst_n ? fits & passes_ : 0;
    return inputs.pass != 0;
  }
  void done(const RegulatorInputs&, std::uint32_t) { inputs_.head_valid &= ~passes_; }

 private:
  /// False if it must wait for the next cycle. A passing request, and then the start of a period, change the answers that
  /// follow.
  bool add(const RegulatorEvent& event) {
    const std::uint32_t bit = 1u << event.number;
    if (event.kind == RegulatorEvent::Kind::kBegins) {
      if ((inputs_.begin & bit) != 0) return false;
      inputs_.begin |= bit;
      return true;
    }
    if (passes_ != 0 || inputs_.begin != 0) return false;
    (event.kind == RegulatorEvent::Kind::kPasses ? passes_ : waits_) |= bit;
    inputs_.head_valid |= bit;
    inputs_.head_bytes.put(event.number, size_.length_bits, event.bytes);
    return true;
  }

  RegulatorSize size_;
  RegulatorInputs inputs_;
  std::uint32_t passes_ = 0, waits_ = 0;  ///< bits: applications that pass, or wait, in this cycle, as recorded
};

}  // namespace gputlm
