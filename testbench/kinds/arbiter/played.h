/// What the arbiter of a queue saw in a run, as traffic: one request, one row command and one question a cycle.
///
/// An event does not fit into a cycle in which its port is taken, nor one that asks for a bank into a cycle in which
/// something else concerns the bank: each burst of an access enters in a cycle of its own, and each answer is for the state
/// that the run's was for.
///
/// The arbiter is asked when a command of its answer goes out, which is when a controller with one decision a cycle asks it:
/// for a column command, which takes the request, and for a row command, which does not.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/decisions.h"
#include "models/dram/rtl_arbiter.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

struct ArbiterRecording {
  std::vector<ArbiterEvent> events;  ///< of one queue
  unsigned hit_cap = 0;
};

/// The same with small numbers of rows, as in a memory of some size. A GPU of the model has addresses of all sizes, so a row's
/// number has many bits that tell nothing apart: the 64 rows with the same upper bits get the next number that is free, as
/// a page of memory does when it is first touched. Which rows are the same, and which are neighbours, stays.
std::vector<ArbiterEvent> with_short_rows(std::vector<ArbiterEvent> events);

class PlayedArbiter {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size cannot hold what was recorded.
  PlayedArbiter(const ArbiterSize& size, const ArbiterRecording& recording);

  ArbiterInputs next(const ArbiterReference& state);
  bool takes(const ArbiterExpected&) const { return asked_ && asked_->kind == ArbiterEvent::Kind::kServes; }
  void done(const ArbiterInputs& inputs, const ArbiterExpected& expected);

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const ArbiterEvent& event, const ArbiterReference& state);

  const ArbiterRecording* recording_;
  Playback<ArbiterEvent> playback_;
  ArbiterInputs inputs_;
  const ArbiterEvent* asked_ = nullptr;  ///< in this cycle: what its answer was in the run
  std::vector<std::uint32_t> free_ids_;
};

}  // namespace gputlm
