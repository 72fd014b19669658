#include "testbench/kinds/admission/traffic.h"

#include <algorithm>

namespace gputlm {

std::vector<KnobOf<AdmissionKnobs>> admission_knobs(const AdmissionSize& size) {
  using K = AdmissionKnobs;
  return {
      {{"applications", 1, size.applications, "Applications that send requests, a number"}, &K::applications},
      {{"heads", 0, 100, "Chance that a head which is empty is filled"}, &K::heads},
      {{"longest", 1, (1u << size.length_bits) - 1, "Bursts of an access or flits of a packet, at most, a number"},
       &K::longest},
      {{"back-pressure", 0, 100, "Grants that could be taken and are not"}, &K::back_pressure},
      {{"leaves", 0, 100, "Cycles in which a burst leaves"}, &K::leaves},
      {{"of-one", 0, 100, "Of these, of the application with most bursts"}, &K::of_one},
      {{"reserved", 0, 100, "Entries reserved, of those that can be"}, &K::reserved},
      {{"resets", 0, 10000, "Resets in 10,000 cycles, a number"}, &K::resets},
  };
}

AdmissionTraffic::AdmissionTraffic(const AdmissionSize& size, std::uint64_t seed, const FixedKnobs& fixed)
    : size_(size), fixed_(fixed), random_(seed), heads_(size.applications) {}

/// A new mood. The extremes come often: they fill the queue, and drain it.
void AdmissionTraffic::new_episode() {
  const unsigned longest = (1u << size_.length_bits) - 1;
  episode_left_ = random_.one_of({100u, 300u, 1000u});
  knobs_.applications = random_.one_of({1u, 2u, size_.applications, size_.applications});
  knobs_.heads = random_.one_of({5u, 50u, 100u, 100u});
  knobs_.longest = random_.one_of({1u, 2u, 4u, longest});
  knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 90u});
  knobs_.leaves = random_.one_of({5u, 50u, 95u, 100u});
  knobs_.of_one = random_.one_of({0u, 0u, 50u, 100u});
  knobs_.reserved = random_.one_of({0u, 30u, 50u, 100u});
  knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
  reset_due_ = random_.chance(50);
  fix(knobs_, admission_knobs(size_), fixed_);
  knobs_.applications = std::min(knobs_.applications, size_.applications);
  knobs_.longest = std::min(knobs_.longest, longest);
}

void AdmissionTraffic::leave(const AdmissionReference& state, AdmissionInputs& inputs) {
  unsigned application = random_.below(size_.applications);
  if (random_.chance(knobs_.of_one)) {
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (state.used(a) > state.used(application)) application = a;
    }
  }
  inputs.leave_app = application;
  inputs.leave_valid = state.used(application) > 0 && random_.chance(knobs_.leaves);
}

AdmissionInputs AdmissionTraffic::next(const AdmissionReference& state) {
  if (episode_left_-- == 0) new_episode();
  AdmissionInputs inputs;
  inputs.rst_n = !reset_due_ && random_.below(10000) >= knobs_.resets;
  reset_due_ = false;
  if (inputs.rst_n) {
    inputs.reserved = state.reserved();
    inputs.shared = state.shared();
  } else {
    inputs.reserved = size_.entries / size_.applications * knobs_.reserved / 100;
    // Not always all that there are.
    inputs.shared = size_.entries - size_.applications * inputs.reserved;
    if (random_.chance(20)) inputs.shared = random_.below(inputs.shared + 1);
  }
  if (!size_.has_shared) inputs.shared = random_.below(size_.entries + 1);  // ignored
  for (unsigned a = 0; a < size_.applications; ++a) {
    if (a < knobs_.applications && (heads_[a] == 0 ? random_.chance(knobs_.heads) : random_.chance(5))) {
      heads_[a] = 1 + random_.below(knobs_.longest);
    }
    inputs.head_valid |= static_cast<std::uint32_t>(heads_[a] > 0) << a;
    // What is shown of a head that is not there does not matter.
    const unsigned length = heads_[a] > 0 ? heads_[a] : random_.below(1u << size_.length_bits);
    inputs.head_length |= length << a * size_.length_bits;
  }
  leave(state, inputs);
  return inputs;
}

bool AdmissionTraffic::takes() { return !random_.chance(knobs_.back_pressure); }

void AdmissionTraffic::done(const AdmissionInputs& inputs, std::optional<unsigned> admitted) {
  if (!inputs.rst_n) {
    std::fill(heads_.begin(), heads_.end(), 0);
  } else if (admitted && inputs.admit_ready) {
    heads_[*admitted] = 0;
  }
}

}  // namespace gputlm
