/// The traffic that the admission of a channel had in a run: at most one access enters and one burst leaves per cycle. The
/// admission decides when an access enters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/dram/decisions.h"
#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

struct AdmissionRecording {
  std::vector<AdmissionEvent> events;
  unsigned reserved = 0;  ///< entries reserved for each application
  unsigned shared = 0;    ///< shared entries
};

class PlayedAdmission {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedAdmission(const AdmissionSize& size, const AdmissionRecording& recording)
      : size_(size), recording_(&recording), playback_(recording.events) {
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
    inputs_.rst_n = playback_.step([&](const AdmissionEvent& event) { return add(event); });
    return inputs_;
  }
  bool answer(AdmissionInputs& inputs, std::optional<unsigned> admitted) const {
    inputs.admit_ready = entered_ != nullptr;
    return admitted && inputs.admit_ready;
  }
  void done(const AdmissionInputs&, std::optional<unsigned> admitted) {
    if (!entered_) return;
    if (admitted) ++playback_.counts.answers;
    if (admitted != entered_->application) ++playback_.counts.others;
  }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

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
  Playback<AdmissionEvent> playback_;
  AdmissionInputs inputs_;
  const AdmissionEvent* entered_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
