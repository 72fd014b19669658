#include "testbench/kinds/flit_arbiter/played.h"

#include <algorithm>
#include <limits>

#include "models/bit_words.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {
namespace {

std::uint64_t largest_of(unsigned bits) { return (std::uint64_t{1} << bits) - 1; }

}  // namespace

PlayedFlitArbiter::PlayedFlitArbiter(const FlitArbiterSize& size, const FlitArbiterRecording& recording)
    : size_(size), playback_(recording.events), issued_(size.inputs) {
  for (const FlitArbiterEvent& event : recording.events) {
    played_at_most("input", event.input, size.inputs - 1);
    played_at_most("application", event.head.application, size.applications - 1);
    played_at_most("number of flits of a packet", event.head.flits, largest_of(size.length_bits));
  }
  for (unsigned a = 0; a < size.applications; ++a) {
    const unsigned weight = a < recording.weights.size() ? recording.weights[a] : 1;
    played_at_most("weight of an application", weight, largest_of(size.weight_bits));
    inputs_.weight |= std::uint64_t{weight} << a * size.weight_bits;
  }
}

FlitArbiterInputs PlayedFlitArbiter::next() {
  leaves_ = nullptr;
  inputs_.rst_n = playback_.step([&](const FlitArbiterEvent& event) { return add(event); },
                                 ages_change_ ? 1 : std::numeric_limits<std::uint64_t>::max());
  // Of several packets that left in a cycle, one waits for the next here; it is chosen by what was known then.
  ages_change_ = show_ages(leaves_ ? leaves_->at : playback_.now());
  return inputs_;
}

/// False if it has to wait for the next cycle: what follows a packet that leaves is seen then.
bool PlayedFlitArbiter::add(const FlitArbiterEvent& event) {
  if (leaves_) return false;
  if (event.kind == FlitArbiterEvent::Kind::kLeaves) {
    leaves_ = &event;
    return true;
  }
  const unsigned input = event.input;
  set_bit(inputs_.head_valid, input);
  inputs_.head_app.put(input, size_.applications > 4 ? 3 : size_.applications > 2 ? 2 : 1, event.head.application);
  inputs_.head_flits.put(input, size_.length_bits, event.head.flits);
  issued_[input] = event.head.issued;
  return true;
}

/// True if one of them is another in the next cycle.
bool PlayedFlitArbiter::show_ages(Cycle now) {
  const std::uint64_t most = largest_of(size_.age_bits);
  bool change = false;
  for (unsigned input = 0; input < size_.inputs; ++input) {
    if (!has_bit(inputs_.head_valid, input)) continue;
    const std::uint64_t age = std::min(now - std::min(now, issued_[input]), most);
    inputs_.head_age.put(input, size_.age_bits, static_cast<std::uint32_t>(age));
    change |= age < most;
  }
  return change;
}

bool PlayedFlitArbiter::takes(std::optional<unsigned> granted) {
  if (!leaves_) return false;
  if (granted) ++playback_.counts.answers;
  if (granted != leaves_->input) ++playback_.counts.others;
  return true;
}

void PlayedFlitArbiter::done(const FlitArbiterInputs&, std::optional<unsigned>) {
  if (leaves_) clear_bit(inputs_.head_valid, leaves_->input);
}

}  // namespace gputlm
