/// The traffic that the arbiter at an output of the crossbar had in a run: at most one packet leaves per cycle. Heads are
/// present from the cycle of their arrival on, and age by one in each cycle.
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
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

struct FlitArbiterRecording {
  std::vector<unsigned> weights;  ///< by application
  std::vector<FlitArbiterEvent> events;
};

class PlayedFlitArbiter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedFlitArbiter(const FlitArbiterSize& size, const FlitArbiterRecording& recording)
      : size_(size), playback_(recording.events), issued_(size.inputs) {
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
    inputs_.rst_n = playback_.step([&](const FlitArbiterEvent& event) { return add(event); },
                                   ages_change_ ? 1 : std::numeric_limits<std::uint64_t>::max());
    // If several packets left in a cycle of the run, one waits for the next cycle here; it is chosen by its age then.
    ages_change_ = show_ages(leaves_ ? leaves_->at : playback_.now());
    return inputs_;
  }
  /// The granted packet leaves; whichever it is, the recorded packet is removed.
  bool answer(FlitArbiterInputs& inputs, std::optional<unsigned> granted) {
    inputs.grant_ready = leaves_ != nullptr;
    if (!leaves_) return false;
    if (granted) ++playback_.counts.answers;
    if (granted != leaves_->input) ++playback_.counts.others;
    return granted.has_value();
  }
  void done(const FlitArbiterInputs&, std::optional<unsigned>) {
    if (leaves_) clear_bit(inputs_.head_valid, leaves_->input);
  }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

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
  Playback<FlitArbiterEvent> playback_;
  FlitArbiterInputs inputs_;
  std::vector<Cycle> issued_;                 ///< of the head of each input
  const FlitArbiterEvent* leaves_ = nullptr;  ///< in this cycle
  bool ages_change_ = false;                  ///< with the next cycle
};

}  // namespace gputlm
