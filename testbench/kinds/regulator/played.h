/// The traffic that a regulator of memory budgets had in a run: at most one request passes per cycle, and periods start at
/// the end of a cycle. Waiting heads stay until they pass.
#pragma once

#include <cstdint>
#include <vector>

#include "models/regulator/decisions.h"
#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

struct RegulatorRecording {
  std::vector<Bytes> budgets;  ///< by number
  std::vector<RegulatorEvent> events;
};

class PlayedRegulator {
 public:
  /// `recording` must outlive it. Throws InputError if a design of this size is too small for the recording.
  PlayedRegulator(const RegulatorSize& size, const RegulatorRecording& recording)
      : size_(size), playback_(recording.events) {
    played_at_most("number of applications with a budget", recording.budgets.size(), size.applications);
    for (unsigned a = 0; a < recording.budgets.size(); ++a) {
      played_at_most("budget", recording.budgets[a], largest_of(size.token_bits));
      inputs_.budget.put(a, size.token_bits, recording.budgets[a]);
    }
    for (const RegulatorEvent& event : recording.events) {
      played_at_most("number of applications with a budget", event.number + 1u, size.applications);
      if (event.kind != RegulatorEvent::Kind::kBegins)
        played_at_most("number of bytes of a request", event.bytes, largest_of(size.length_bits));
    }
  }

  RegulatorInputs reset() const { return {}; }
  RegulatorInputs next(const RegulatorReference&, std::uint32_t) {
    passes_ = waits_ = inputs_.begin = 0;
    inputs_.rst_n = playback_.step([&](const RegulatorEvent& event) { return add(event); });
    return inputs_;
  }
  /// Of those that fit, the one that passed in the run passes.
  bool answer(RegulatorInputs& inputs, std::uint32_t fits) {
    playback_.counts.answers += static_cast<unsigned>(__builtin_popcount(passes_) + __builtin_popcount(waits_));
    playback_.counts.others +=
        static_cast<unsigned>(__builtin_popcount(passes_ & ~fits) + __builtin_popcount(waits_ & fits));
    inputs.pass = inputs.rst_n ? fits & passes_ : 0;
    return inputs.pass != 0;
  }
  void done(const RegulatorInputs&, std::uint32_t) { inputs_.head_valid &= ~passes_; }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  /// False if it must wait for the next cycle. A passing request, and then the start of a period, change the answers that
  /// follow.
  bool add(const RegulatorEvent& event) {
    const std::uint32_t bit = 1u << event.number;
    if (event.kind == RegulatorEvent::Kind::kBegins) {
      if ((inputs_.begin & bit) != 0) return false;
      inputs_.begin |= bit;
      return true;
    }
    if (passes_ != 0 || inputs_.begin != 0) return false;
    (event.kind == RegulatorEvent::Kind::kPasses ? passes_ : waits_) |= bit;
    inputs_.head_valid |= bit;
    inputs_.head_bytes.put(event.number, size_.length_bits, event.bytes);
    return true;
  }

  RegulatorSize size_;
  Playback<RegulatorEvent> playback_;
  RegulatorInputs inputs_;
  std::uint32_t passes_ = 0, waits_ = 0;  ///< in this cycle, as recorded; by application
};

}  // namespace gputlm
