#include "models/noc/switch_core.h"

#include <algorithm>
#include <utility>

#include "tlm/counter_table.h"

namespace gputlm {

SwitchCore::SwitchCore(unsigned inputs, unsigned outputs, unsigned output_width, unsigned output_credits,
                       unsigned virtual_channels)
    : single_output_(outputs == 1), virtual_channels_(virtual_channels) {
  assert(inputs <= kMostInputs);
  outputs_.reserve(outputs);
  for (unsigned o = 0; o < outputs; ++o) {
    outputs_.push_back({Outbox<Access>(output_width, output_credits), OutputQueue(inputs)});
  }
  if (virtual_channels > 1) channels_.assign(outputs / virtual_channels, {SharedLink(output_width), 0});
}

SwitchCore::~SwitchCore() = default;

std::size_t SwitchCore::held() const {
  std::size_t held = 0;
  for (const Output& output : outputs_) held += output.queue.size();
  return held;
}

SwitchStatistics SwitchCore::statistics() const {
  SwitchStatistics all = statistics_;
  for (const Output& output : outputs_) all.flits += output.link.flits();
  return all;
}

Cycle SwitchCore::advance(Cycle until) {
  const Cycle next = inputs_.size() == 1    ? advance_outputs<0>(until)
                     : inputs_.size() <= 64 ? advance_outputs<1>(until)
                                            : advance_outputs<OutputQueue::kMostWords>(until);
  free_slots(until);
  return next;
}

template <unsigned words>
Cycle SwitchCore::advance_outputs(Cycle until) {
  Cycle next = kNever;
  if (virtual_channels_ > 1) {
    for (unsigned g = 0; g < channels_.size(); ++g) next = std::min(next, advance_channels<words>(g, until));
    return next;
  }
  for (Output& output : outputs_) {
    if (!output.queue.empty<words>()) next = std::min(next, advance_output<words>(output, until));
  }
  return next;
}

template <unsigned words>
Cycle SwitchCore::advance_output(Output& output, Cycle until) {
  do {
    const Cycle now = std::max(output.link.ready_at(), output.queue.next<words>());
    if (now >= until) return now;
    pass<words>(output, now, until);
  } while (!output.queue.empty<words>());
  return kNever;
}

/// Sends the packet whose turn it is. Every packet of a run comes through here, most of them twice.
template <unsigned words>
[[gnu::always_inline]] inline Access& SwitchCore::pass(Output& output, Cycle now, Cycle until) {
  const unsigned chosen = output.queue.choose<words>(now);
  const auto [at, access] = output.queue.pop<words>(chosen, now);
  Input& input = *inputs_[chosen];
  if (single_output_) {
    input.freed(now);
  } else {
    left_[OutputQueue::word<words>(chosen)] |= OutputQueue::bit(chosen);
    input.left.add(now, until);
  }
  output.link.send(now, *access);
  ++statistics_.packets;
  statistics_.wait += now - at;
  return *access;
}

/// What several outputs have taken from an input, one output after the other, is free in the order of time.
void SwitchCore::free_slots(Cycle until) {
  for (unsigned i = 0; i < inputs_.size(); i += 64) {
    for (std::uint64_t mask = std::exchange(left_[i / 64], 0); mask; mask &= mask - 1) {
      Input& input = *inputs_[i + OutputQueue::first(mask)];
      input.left.take(until, [&input](Cycle at, unsigned slots) { input.freed(at, slots); });
    }
  }
}

/// Outputs that share a link: the one that can send first does, of several the next one in turn.
template <unsigned words>
Cycle SwitchCore::advance_channels(unsigned group, Cycle until) {
  Channels& channels = channels_[group];
  for (;;) {
    Cycle now = kNever;
    unsigned channel = 0;
    for (unsigned i = 0; i < virtual_channels_; ++i) {
      const unsigned candidate = (channels.next + i) % virtual_channels_;
      const Output& output = outputs_[group * virtual_channels_ + candidate];
      if (output.queue.empty<words>()) continue;
      const Cycle at = std::max({output.link.ready_at(), channels.link.free_at(), output.queue.next<words>()});
      if (at < now) now = at, channel = candidate;
    }
    if (now >= until) return now;
    const Access& access = pass<words>(outputs_[group * virtual_channels_ + channel], now, until);
    channels.link.sent(now, access.flits);
    channels.next = (channel + 1) % virtual_channels_;
  }
}

std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies) {
  const std::size_t held = requests.held() + replies.held();
  if (held == 0) return {};
  return {unit + ": " + std::to_string(held) + " packets waiting"};
}

GPUTLM_REGISTER { add_counter_table<SwitchStatistics>("switch", "noc", 30); }

}  // namespace gputlm
