#include "testbench/kinds/regulator/traffic.h"

#include <algorithm>

namespace gputlm {
namespace {

unsigned largest_number(unsigned bits) { return static_cast<unsigned>((std::uint64_t{1} << bits) - 1); }

}  // namespace

std::vector<KnobOf<RegulatorKnobs>> regulator_knobs(const RegulatorSize& size) {
  using K = RegulatorKnobs;
  return {
      {{"applications", 1, size.applications, "Applications that send requests, a number"}, &K::applications},
      {{"heads", 0, 100, "Chance that a head which is empty is filled"}, &K::heads},
      {{"bytes", 1, largest_number(size.length_bits), "Bytes of a request, at most, a number"}, &K::bytes},
      {{"budget", 1, largest_number(std::min(31u, size.token_bits)), "Bytes of a budget, at most, a number"},
       &K::budget},
      {{"period", 1, 10000, "Cycles from the start of a period to the next, on average, a number"}, &K::period},
      {{"together", 0, 100, "Starts of periods that are of all applications"}, &K::together},
      {{"back-pressure", 0, 100, "Grants that could be taken and are not"}, &K::back_pressure},
      {{"resets", 0, 10000, "Resets in 10,000 cycles, a number"}, &K::resets},
  };
}

RegulatorTraffic::RegulatorTraffic(const RegulatorSize& size, std::uint64_t seed, const FixedKnobs& fixed)
    : size_(size), fixed_(fixed), random_(seed), heads_(size.applications) {}

/// A new mood. Budgets are mostly those of some requests, so that they are used up.
void RegulatorTraffic::new_episode() {
  const unsigned longest = largest_number(size_.length_bits), most = largest_number(std::min(31u, size_.token_bits));
  const bool is_first = episode_left_ == 0 && budgets_.budget == decltype(budgets_.budget){};
  episode_left_ = random_.one_of({100u, 300u, 1000u});
  knobs_.applications = random_.one_of({1u, 2u, size_.applications, size_.applications});
  knobs_.heads = random_.one_of({5u, 30u, 100u, 100u});
  knobs_.bytes = random_.one_of({1u, 2u, 4u, longest, longest});
  knobs_.budget = random_.one_of({2u, longest / 2 + 1, 2 * longest, 8 * longest, most});
  knobs_.period = random_.one_of({1u, 4u, 10u, 40u});
  knobs_.together = random_.one_of({0u, 50u, 100u, 100u});
  knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 90u});
  knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
  reset_due_ = is_first || random_.chance(50);  // the first one gives budgets
  fix(knobs_, regulator_knobs(size_), fixed_);
  knobs_.applications = std::min(knobs_.applications, size_.applications);
  knobs_.bytes = std::min(knobs_.bytes, longest);
  knobs_.budget = std::min(knobs_.budget, most);
}

RegulatorInputs RegulatorTraffic::next() {
  if (episode_left_ == 0) new_episode();
  --episode_left_;
  const bool reset = reset_due_ || random_.below(10000) < knobs_.resets;
  reset_due_ = false;
  if (reset) {
    budgets_ = {};
    for (unsigned a = 0; a < size_.applications; ++a)
      budgets_.put_budget(a, size_.token_bits, 1 + random_.below(knobs_.budget));
  }
  RegulatorInputs inputs = budgets_;
  inputs.rst_n = !reset;
  const std::uint32_t all = (1u << size_.applications) - 1;
  if (random_.below(knobs_.period) == 0) inputs.begin = random_.chance(knobs_.together) ? all : random_.below(all + 1);
  for (unsigned a = 0; a < size_.applications; ++a) {
    if (heads_[a] == 0 && a < knobs_.applications && random_.chance(knobs_.heads))
      heads_[a] = 1 + random_.below(knobs_.bytes);
    inputs.head_valid |= std::uint32_t{heads_[a] > 0} << a;
    // What is shown of a head that is not there does not matter.
    const std::uint32_t shown = heads_[a] > 0 ? heads_[a] : random_.below(1u << size_.length_bits);
    inputs.head_bytes |= std::uint64_t{shown} << a * size_.length_bits;
  }
  return inputs;
}

std::uint32_t RegulatorTraffic::passes(std::uint32_t fits) {
  if (fits == 0 || random_.chance(knobs_.back_pressure)) return 0;
  unsigned number = random_.below(static_cast<std::uint32_t>(__builtin_popcount(fits)));
  for (; number > 0; --number) fits &= fits - 1;
  return fits & -fits;
}

void RegulatorTraffic::done(const RegulatorInputs& inputs) {
  for (unsigned a = 0; a < size_.applications; ++a) {
    if (inputs.pass >> a & 1) heads_[a] = 0;
  }
}

}  // namespace gputlm
