/// What the arbiter at an output of the crossbar saw in a run, as traffic: one packet that leaves a cycle. Heads are there from
/// the cycle on in which they came, and grow older in each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/noc/decisions.h"
#include "models/noc/rtl_flit_arbiter.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

struct FlitArbiterRecording {
  std::vector<unsigned> weights;  ///< by application
  std::vector<FlitArbiterEvent> events;
};

class PlayedFlitArbiter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedFlitArbiter(const FlitArbiterSize& size, const FlitArbiterRecording& recording);

  /// All but grant_ready.
  FlitArbiterInputs next();
  /// What is granted leaves; in the place of it, whatever it is, the packet that left in the run.
  bool takes(std::optional<unsigned> granted);
  void done(const FlitArbiterInputs& inputs, std::optional<unsigned> granted);

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const FlitArbiterEvent& event);
  bool show_ages(Cycle now);

  FlitArbiterSize size_;
  Playback<FlitArbiterEvent> playback_;
  FlitArbiterInputs inputs_;
  std::vector<Cycle> issued_;                 ///< of the head of each input
  const FlitArbiterEvent* leaves_ = nullptr;  ///< in this cycle
  bool ages_change_ = false;                  ///< with the next cycle
};

}  // namespace gputlm
