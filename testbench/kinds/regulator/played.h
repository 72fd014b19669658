/// What a regulator of memory budgets saw in a run, as traffic: one request that passes a cycle, and the starts of periods
/// at its end. Heads that wait stay until they pass.
#pragma once

#include <cstdint>
#include <vector>

#include "models/regulator/decisions.h"
#include "models/regulator/rtl_regulator.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

struct RegulatorRecording {
  std::vector<Bytes> budgets;  ///< by number
  std::vector<RegulatorEvent> events;
};

class PlayedRegulator {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedRegulator(const RegulatorSize& size, const RegulatorRecording& recording);

  /// All but pass.
  RegulatorInputs next();
  /// Of those that fit, whose request passes.
  std::uint32_t passes(std::uint32_t fits);
  void done(const RegulatorInputs&) { inputs_.head_valid &= ~passes_; }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const RegulatorEvent& event);

  RegulatorSize size_;
  Playback<RegulatorEvent> playback_;
  RegulatorInputs inputs_;
  std::uint32_t passes_ = 0, waits_ = 0;  ///< in this cycle, as it was recorded; by application
};

}  // namespace gputlm
