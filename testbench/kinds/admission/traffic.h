/// Constrained-random traffic for an admission: accesses that wait, and bursts that are served.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct AdmissionKnobs {
  unsigned applications = 1;   ///< that send accesses, a number
  unsigned heads = 50;         ///< chance that an application without a head gets one
  unsigned longest = 1;        ///< bursts of an access, a number
  unsigned back_pressure = 0;  ///< of the admissions that could be taken and are not
  unsigned leaves = 50;        ///< of the cycles in which a burst leaves, if one can
  unsigned of_one = 0;         ///< of the bursts that leave and are of the application with most of them
  unsigned reserved = 0;       ///< of what can be reserved; taken over at a reset
  unsigned resets = 5;         ///< in 10,000 cycles, a number
};

std::vector<KnobOf<AdmissionKnobs>> admission_knobs(const AdmissionSize& size);

class AdmissionTraffic : public EndlessTraffic {
 public:
  AdmissionTraffic(const AdmissionSize& size, std::uint64_t seed, const FixedKnobs& fixed);

  /// The inputs of the next cycle, given what waits; all but admit_ready.
  AdmissionInputs next(const AdmissionReference& state);
  bool takes();
  /// What has come of the inputs.
  void done(const AdmissionInputs& inputs, std::optional<unsigned> admitted);

 private:
  void new_episode();
  void leave(const AdmissionReference& state, AdmissionInputs& inputs);

  AdmissionSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  AdmissionKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;       ///< at the start of the episode
  std::vector<unsigned> heads_;  ///< bursts of the access that waits, by application; 0: none does
};

}  // namespace gputlm
