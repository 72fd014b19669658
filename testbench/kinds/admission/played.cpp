#include "testbench/kinds/admission/played.h"

#include "testbench/lockstep/played_limit.h"

namespace gputlm {

PlayedAdmission::PlayedAdmission(const AdmissionSize& size, const AdmissionRecording& recording)
    : size_(size), recording_(&recording), playback_(recording.events) {
  for (const AdmissionEvent& event : recording.events) {
    played_at_most("application", event.application, size.applications - 1);
    for (const unsigned bursts : event.heads.bursts)
      played_at_most("number of bursts of an access", bursts, (1u << size.length_bits) - 1);
  }
  played_at_most("number of entries", size.applications * recording.reserved + recording.shared, size.entries);
  played_at_most("number of shared entries", recording.shared, size.has_shared ? size.entries : 0);
}

AdmissionInputs PlayedAdmission::next(const AdmissionReference&) {
  entered_ = nullptr;
  inputs_.reserved = recording_->reserved;
  inputs_.shared = recording_->shared;
  inputs_.head_valid = 0;
  inputs_.admit_ready = inputs_.leave_valid = false;
  inputs_.rst_n = playback_.step([&](const AdmissionEvent& event) { return add(event); });
  return inputs_;
}

/// False if it has to wait for the next cycle.
bool PlayedAdmission::add(const AdmissionEvent& event) {
  if (event.kind == AdmissionEvent::Kind::kLeaves) {
    if (inputs_.leave_valid) return false;
    inputs_.leave_valid = true;
    inputs_.leave_app = event.application;
    return true;
  }
  if (entered_ || inputs_.leave_valid) return false;
  entered_ = &event;
  inputs_.head_valid = static_cast<std::uint32_t>(event.heads.waiting);
  inputs_.head_length = 0;
  for (unsigned a = 0; a < size_.applications; ++a)
    inputs_.head_length |= std::uint64_t{event.heads.bursts[a]} << a * size_.length_bits;
  return true;
}

void PlayedAdmission::done(const AdmissionInputs&, std::optional<unsigned> admitted) {
  if (!entered_) return;
  if (admitted) ++playback_.counts.answers;
  if (admitted != entered_->application) ++playback_.counts.others;
}

}  // namespace gputlm
