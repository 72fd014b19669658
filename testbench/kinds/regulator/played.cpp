#include "testbench/kinds/regulator/played.h"

#include "testbench/lockstep/played_limit.h"

namespace gputlm {

PlayedRegulator::PlayedRegulator(const RegulatorSize& size, const RegulatorRecording& recording)
    : size_(size), playback_(recording.events) {
  played_at_most("number of applications with a budget", recording.budgets.size(), size.applications);
  for (unsigned a = 0; a < recording.budgets.size(); ++a) {
    played_at_most("budget", recording.budgets[a], (std::uint64_t{1} << size.token_bits) - 1);
    inputs_.put_budget(a, size.token_bits, static_cast<std::uint32_t>(recording.budgets[a]));
  }
  for (const RegulatorEvent& event : recording.events) {
    played_at_most("number of applications with a budget", event.number + 1u, size.applications);
    if (event.kind != RegulatorEvent::Kind::kBegins)
      played_at_most("number of bytes of a request", event.bytes, (1u << size.length_bits) - 1);
  }
}

RegulatorInputs PlayedRegulator::next() {
  passes_ = waits_ = inputs_.begin = 0;
  inputs_.rst_n = playback_.step([&](const RegulatorEvent& event) { return add(event); });
  return inputs_;
}

/// False if it has to wait for the next cycle. What passes, and then what begins, changes the answers from then on.
bool PlayedRegulator::add(const RegulatorEvent& event) {
  const std::uint32_t bit = 1u << event.number;
  if (event.kind == RegulatorEvent::Kind::kBegins) {
    if ((inputs_.begin & bit) != 0) return false;
    inputs_.begin |= bit;
    return true;
  }
  if (passes_ != 0 || inputs_.begin != 0) return false;
  (event.kind == RegulatorEvent::Kind::kPasses ? passes_ : waits_) |= bit;
  inputs_.head_valid |= bit;
  const unsigned place = event.number * size_.length_bits;
  const std::uint64_t mask = ((std::uint64_t{1} << size_.length_bits) - 1) << place;
  inputs_.head_bytes = (inputs_.head_bytes & ~mask) | event.bytes << place;
  return true;
}

std::uint32_t PlayedRegulator::passes(std::uint32_t fits) {
  playback_.counts.answers += static_cast<unsigned>(__builtin_popcount(passes_) + __builtin_popcount(waits_));
  playback_.counts.others +=
      static_cast<unsigned>(__builtin_popcount(passes_ & ~fits) + __builtin_popcount(waits_ & fits));
  return fits & passes_;
}

}  // namespace gputlm
