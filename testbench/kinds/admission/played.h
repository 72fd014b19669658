/// What the admission of a channel saw in a run, as traffic: one access that enters and one burst that leaves a cycle.
/// The admission is asked when an access enters.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/dram/decisions.h"
#include "models/dram/rtl_admission.h"
#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

struct AdmissionRecording {
  std::vector<AdmissionEvent> events;
  unsigned reserved = 0;  ///< entries for each application
  unsigned shared = 0;    ///< entries for all
};

class PlayedAdmission {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedAdmission(const AdmissionSize& size, const AdmissionRecording& recording);

  AdmissionInputs next(const AdmissionReference&);
  bool takes() const { return entered_ != nullptr; }
  void done(const AdmissionInputs& inputs, std::optional<unsigned> admitted);

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const AdmissionEvent& event);

  AdmissionSize size_;
  const AdmissionRecording* recording_;
  Playback<AdmissionEvent> playback_;
  AdmissionInputs inputs_;
  const AdmissionEvent* entered_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
