/// Constrained-random traffic for a flit arbiter: packets at the heads of a switch's inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

inline unsigned most_of(unsigned bits) { return static_cast<unsigned>(largest_of(bits)); }

/// In per cent, unless the description says that it is a number.
#define FLIT_ARBITER_KNOBS(K)                                                                               \
  K(inputs, 1, size.inputs, "Inputs that send packets, a number")                                           \
  K(applications, 1, size.applications, "Applications that send requests, a number")                        \
  K(heads, 0, 100, "Probability that an empty head is filled")                                              \
  K(mixed, 0, 100, "Packets of another application than the input's own")                                   \
  K(longest, 1, largest_of(size.length_bits), "Maximum bursts of an access or flits of a packet, a number") \
  K(oldest, 0, 100, "Packets that arrive with the largest age")                                             \
  K(back_pressure, 0, 100, "Grants that could be taken and are not")                                        \
  K(weight, 1, std::min<std::uint64_t>(63, largest_of(size.weight_bits)),                                   \
    "Maximum weight of an application, a number")                                                           \
  K(resets, 0, 10000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(FlitArbiter, FLIT_ARBITER_KNOBS);

class FlitArbiterTraffic : public EndlessTraffic {
 public:
  FlitArbiterTraffic(const FlitArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : size_(size), fixed_(fixed), random_(seed), heads_(size.inputs) {}

  FlitArbiterInputs reset() const { return {}; }
  FlitArbiterInputs next(const FlitArbiterReference&, std::optional<unsigned>) {
    if (episode_left_-- == 0) new_episode();
    FlitArbiterInputs inputs;
    inputs.rst_n = !reset_due_ && random_.below(10000) >= knobs_.resets;
    reset_due_ = false;
    if (!inputs.rst_n) {
      for (unsigned a = 0; a < size_.applications; ++a)
        weight_.put(a, size_.weight_bits, 1 + random_.below(knobs_.weight));
    }
    inputs.weight = weight_;
    for (unsigned i = 0; i < size_.inputs; ++i) {
      if (heads_[i].flits == 0 && i < knobs_.inputs && random_.chance(knobs_.heads)) heads_[i] = new_head(i);
      const bool valid = heads_[i].flits > 0;
      if (valid) set_bit(inputs.head_valid, i);
      // The value at a missing head does not matter.
      const Head shown = valid ? heads_[i] : new_head(i);
      inputs.head_app.put(i, bits_to_name(size_.applications), shown.application);
      inputs.head_flits.put(i, size_.length_bits, shown.flits);
      inputs.head_age.put(i, size_.age_bits, shown.age);
    }
    return inputs;
  }
  bool answer(FlitArbiterInputs& inputs, std::optional<unsigned> granted) {
    inputs.grant_ready = !random_.chance(knobs_.back_pressure);
    return granted && inputs.grant_ready;
  }
  void done(const FlitArbiterInputs& inputs, std::optional<unsigned> granted) {
    if (granted && (!inputs.rst_n || inputs.grant_ready)) heads_[*granted] = {};
    for (Head& head : heads_) head.age = std::min(head.age + 1, most_of(size_.age_bits));
  }

 private:
  struct Head {
    unsigned application = 0, flits = 0, age = 0;  ///< flits 0: there is none
  };
  /// A new episode. The extremes are frequent: all inputs at once, and one alone.
  void new_episode() {
    const unsigned longest = most_of(size_.length_bits), weight = std::min(63u, most_of(size_.weight_bits));
    episode_left_ = random_.one_of({100u, 300u, 1000u});
    knobs_.inputs = random_.one_of({1u, 2u, 3u, size_.inputs, size_.inputs});
    knobs_.applications = random_.one_of({1u, 2u, size_.applications, size_.applications});
    knobs_.heads = random_.one_of({5u, 30u, 100u, 100u});
    knobs_.mixed = random_.one_of({0u, 10u, 100u});
    knobs_.longest = random_.one_of({1u, 2u, 5u, longest});
    knobs_.oldest = random_.one_of({0u, 0u, 20u, 100u});
    knobs_.back_pressure = random_.one_of({0u, 0u, 10u, 90u});
    knobs_.weight = random_.one_of({1u, 2u, 8u, weight});
    knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
    reset_due_ = weight_ == FlitWeights() || random_.chance(50);  // the first reset sets the weights
    fix(knobs_, FlitArbiterKnobs::all(size_), fixed_);
    knobs_.inputs = std::min(knobs_.inputs, size_.inputs);
    knobs_.applications = std::min(knobs_.applications, size_.applications);
    knobs_.longest = std::min(knobs_.longest, longest);
    knobs_.weight = std::min(knobs_.weight, weight);
  }
  FlitArbiterTraffic::Head new_head(unsigned input) {
    Head head;
    head.application = random_.chance(knobs_.mixed) ? random_.below(knobs_.applications) : input % knobs_.applications;
    head.flits = 1 + random_.below(knobs_.longest);
    head.age = random_.chance(knobs_.oldest) ? most_of(size_.age_bits) : random_.below(1u << size_.age_bits);
    if (random_.chance(20)) head.age = random_.below(std::min(4u, 1u << size_.age_bits));  // the same age as others
    return head;
  }

  FlitArbiterSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  FlitArbiterKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;  ///< at the start of the episode
  FlitWeights weight_;
  std::vector<Head> heads_;  ///< by input
};

}  // namespace gputlm
