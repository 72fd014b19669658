/// Traffic for an admission, constrained-random or of a recording: waiting accesses and served bursts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/dram/decisions.h"
#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

namespace gputlm {

/// In per cent, unless the description says that it is a number.
#define ADMISSION_KNOBS(K)                                                                                  \
  K(applications, 1, size.applications, "Applications that send requests, a number")                        \
  K(heads, 0, 100, "Probability that an empty head is filled")                                              \
  K(longest, 1, largest_of(size.length_bits), "Maximum bursts of an access or flits of a packet, a number") \
  K(back_pressure, 0, 100, "Grants that could be taken and are not")                                        \
  K(leaves, 0, 100, "Cycles in which a burst leaves")                                                       \
  K(of_one, 0, 100, "Share of these that belong to the application with the most bursts")                   \
  K(reserved, 0, 100, "Share of the reservable entries that are reserved")                                  \
  K(resets, 0, 10000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(Admission, ADMISSION_KNOBS);

class AdmissionTraffic : public RandomTraffic<AdmissionSize, AdmissionKnobs> {
 public:
  AdmissionTraffic(const AdmissionSize& size, std::uint64_t seed, const FixedKnobs& fixed)
      : RandomTraffic(size, seed, fixed), heads_(size.applications) {}

  /// All entries are shared.
  AdmissionInputs reset() const {
    AdmissionInputs inputs;
    inputs.shared = size_.entries;
    return inputs;
  }
  AdmissionInputs next(const AdmissionReference& state, std::optional<unsigned>) {
    if (episode_left_-- == 0) new_episode();
    AdmissionInputs inputs;
    inputs.rst_n = !draw_reset();
    if (inputs.rst_n) {
      inputs.reserved = state.reserved();
      inputs.shared = state.shared();
    } else {
      inputs.reserved = size_.entries / size_.applications * knobs_.reserved / 100;
      // Not always all of them.
      inputs.shared = size_.entries - size_.applications * inputs.reserved;
      if (random_.chance(20)) inputs.shared = random_.below(inputs.shared + 1);
    }
    if (!size_.has_shared) inputs.shared = random_.below(size_.entries + 1);  // ignored
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (a < knobs_.applications && (heads_[a] == 0 ? random_.chance(knobs_.heads) : random_.chance(5))) {
        heads_[a] = 1 + random_.below(knobs_.longest);
      }
      inputs.head_valid |= static_cast<std::uint32_t>(heads_[a] > 0) << a;
      // The value at a missing head does not matter.
      const unsigned length = heads_[a] > 0 ? heads_[a] : random_.below(1u << size_.length_bits);
      inputs.head_length.put(a, size_.length_bits, length);
    }
    leave(state, inputs);
    return inputs;
  }
  bool answer(AdmissionInputs& inputs, std::optional<unsigned> admitted) {
    inputs.admit_ready = !random_.chance(knobs_.back_pressure);
    return admitted && inputs.admit_ready;
  }
  void done(const AdmissionInputs& inputs, std::optional<unsigned> admitted) {
    if (!inputs.rst_n) {
      std::fill(heads_.begin(), heads_.end(), 0);
    } else if (admitted && inputs.admit_ready) {
      heads_[*admitted] = 0;
    }
  }

 private:
  /// A new episode. The extremes are frequent: they fill the queue, and drain it.
  void new_episode() {
    const unsigned longest = static_cast<unsigned>(largest_of(size_.length_bits));
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
    fix(knobs_, AdmissionKnobs::all(size_), fixed_);
    knobs_.applications = std::min(knobs_.applications, size_.applications);
    knobs_.longest = std::min(knobs_.longest, longest);
  }
  void leave(const AdmissionReference& state, AdmissionInputs& inputs) {
    unsigned application = random_.below(size_.applications);
    if (random_.chance(knobs_.of_one)) {
      for (unsigned a = 0; a < size_.applications; ++a) {
        if (state.used(a) > state.used(application)) application = a;
      }
    }
    inputs.leave_app = application;
    inputs.leave_valid = state.used(application) > 0 && random_.chance(knobs_.leaves);
  }

  std::vector<unsigned> heads_;  ///< bursts of each application's waiting access; 0: there is none
};

struct AdmissionRecording {
  std::vector<AdmissionEvent> events;
  unsigned reserved = 0;  ///< entries reserved for each application
  unsigned shared = 0;    ///< shared entries
};

/// The traffic that the admission of a channel had in a run: at most one access enters and one burst leaves per cycle. The
/// admission decides when an access enters.
class PlayedAdmission : public Playback<AdmissionEvent> {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedAdmission(const AdmissionSize& size, const AdmissionRecording& recording)
      : Playback(recording.events), size_(size), recording_(&recording) {
    for (const AdmissionEvent& event : recording.events) {
      played_at_most("application", event.application, size.applications - 1);
      for (const unsigned bursts : event.heads.bursts)
        played_at_most("number of bursts of an access", bursts, largest_of(size.length_bits));
    }
    played_at_most("number of entries", size.applications * recording.reserved + recording.shared, size.entries);
    played_at_most("number of shared entries", recording.shared, size.has_shared ? size.entries : 0);
  }

  AdmissionInputs reset() const {
    AdmissionInputs inputs;
    inputs.shared = size_.entries;
    return inputs;
  }
  AdmissionInputs next(const AdmissionReference&, std::optional<unsigned>) {
    entered_ = nullptr;
    inputs_.reserved = recording_->reserved;
    inputs_.shared = recording_->shared;
    inputs_.head_valid = 0;
    inputs_.admit_ready = inputs_.leave_valid = false;
    inputs_.rst_n = step([&](const AdmissionEvent& event) { return add(event); });
    return inputs_;
  }
  bool answer(AdmissionInputs& inputs, std::optional<unsigned> admitted) const {
    inputs.admit_ready = entered_ != nullptr;
    return admitted && inputs.admit_ready;
  }
  void done(const AdmissionInputs&, std::optional<unsigned> admitted) {
    if (!entered_) return;
    if (admitted) ++counts_.answers;
    if (admitted != entered_->application) ++counts_.others;
  }

 private:
  /// False if it must wait for the next cycle.
  bool add(const AdmissionEvent& event) {
    if (event.kind == AdmissionEvent::Kind::kLeaves) {
      if (inputs_.leave_valid) return false;
      inputs_.leave_valid = true;
      inputs_.leave_app = event.application;
      return true;
    }
    if (entered_ || inputs_.leave_valid) return false;
    entered_ = &event;
    inputs_.head_valid = static_cast<std::uint32_t>(event.heads.waiting);
    for (unsigned a = 0; a < size_.applications; ++a)
      inputs_.head_length.put(a, size_.length_bits, event.heads.bursts[a]);
    return true;
  }

  AdmissionSize size_;
  const AdmissionRecording* recording_;
  AdmissionInputs inputs_;
  const AdmissionEvent* entered_ = nullptr;  ///< access that enters in this cycle
};

}  // namespace gputlm
