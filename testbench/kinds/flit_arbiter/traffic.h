/// Traffic for a flit arbiter, constrained-random or of a recording: packets at the heads of a switch's inputs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "models/bit_words.h"
#include "models/noc/decisions.h"
#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

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

class FlitArbiterTraffic : public RandomTraffic<FlitArbiterSize, FlitArbiterKnobs> {
 public:
  FlitArbiterTraffic(const FlitArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : RandomTraffic(size, seed, fixed), heads_(size.inputs) {}

  FlitArbiterInputs reset() const { return {}; }
  FlitArbiterInputs next(const FlitArbiterReference&, std::optional<unsigned>) {
    if (episode_left_-- == 0) new_episode();
    FlitArbiterInputs inputs;
    inputs.rst_n = !draw_reset();
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
    unsigned application = 0, flits = 0, age = 0;  ///< flits: 0 if there is no packet
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

  FlitWeights weight_;
  std::vector<Head> heads_;  ///< heads, indexed by input
};

struct FlitArbiterRecording {
  std::vector<unsigned> weights;  ///< weights, indexed by application
  std::vector<FlitArbiterEvent> events;
};

/// The traffic that the arbiter at an output of the crossbar had in a run: at most one packet leaves per cycle. Heads are
/// present from the cycle of their arrival on, and age by one in each cycle.
class PlayedFlitArbiter : public Playback<FlitArbiterEvent> {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedFlitArbiter(const FlitArbiterSize& size, const FlitArbiterRecording& recording)
      : Playback(recording.events), size_(size), issued_(size.inputs) {
    for (const FlitArbiterEvent& event : recording.events) {
      played_at_most("input", event.input, size.inputs - 1);
      played_at_most("application", event.head.application, size.applications - 1);
      played_at_most("number of flits of a packet", event.head.flits, largest_of(size.length_bits));
    }
    for (unsigned a = 0; a < size.applications; ++a) {
      const unsigned weight = a < recording.weights.size() ? recording.weights[a] : 1;
      played_at_most("weight of an application", weight, largest_of(size.weight_bits));
      inputs_.weight.put(a, size.weight_bits, weight);
    }
  }

  FlitArbiterInputs reset() const { return {}; }
  FlitArbiterInputs next(const FlitArbiterReference&, std::optional<unsigned>) {
    leaves_ = nullptr;
    inputs_.rst_n = step([&](const FlitArbiterEvent& event) { return add(event); },
                         ages_change_ ? 1 : std::numeric_limits<std::uint64_t>::max());
    // If several packets left in a cycle of the run, one waits for the next cycle here; it is chosen by its age then.
    ages_change_ = show_ages(leaves_ ? leaves_->at : now());
    return inputs_;
  }
  /// The granted packet leaves; whichever it is, the recorded packet is removed.
  bool answer(FlitArbiterInputs& inputs, std::optional<unsigned> granted) {
    inputs.grant_ready = leaves_ != nullptr;
    if (!leaves_) return false;
    if (granted) ++counts_.answers;
    if (granted != leaves_->input) ++counts_.others;
    return granted.has_value();
  }
  void done(const FlitArbiterInputs&, std::optional<unsigned>) {
    if (leaves_) clear_bit(inputs_.head_valid, leaves_->input);
  }

 private:
  /// False if it must wait for the next cycle: events after the departure of a packet are visible then.
  bool add(const FlitArbiterEvent& event) {
    if (leaves_) return false;
    if (event.kind == FlitArbiterEvent::Kind::kLeaves) {
      leaves_ = &event;
      return true;
    }
    const unsigned input = event.input;
    set_bit(inputs_.head_valid, input);
    inputs_.head_app.put(input, bits_to_name(size_.applications), event.head.application);
    inputs_.head_flits.put(input, size_.length_bits, event.head.flits);
    issued_[input] = event.head.issued;
    return true;
  }
  /// True if an age changes in the next cycle.
  bool show_ages(Cycle now) {
    const std::uint64_t most = largest_of(size_.age_bits);
    bool change = false;
    for (unsigned input = 0; input < size_.inputs; ++input) {
      if (!has_bit(inputs_.head_valid, input)) continue;
      const std::uint64_t age = std::min(now - std::min(now, issued_[input]), most);
      inputs_.head_age.put(input, size_.age_bits, static_cast<std::uint32_t>(age));
      change |= age < most;
    }
    return change;
  }

  FlitArbiterSize size_;
  FlitArbiterInputs inputs_;
  std::vector<Cycle> issued_;                 ///< cycle in which the head of each input was issued
  const FlitArbiterEvent* leaves_ = nullptr;  ///< packet that leaves in this cycle
  bool ages_change_ = false;                  ///< ages change with the next cycle
};

}  // namespace gputlm
