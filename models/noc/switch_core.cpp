#include "models/noc/switch_core.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

class SwitchCore::Input final : public Receiver<Access> {
 public:
  Input(SwitchCore& owner, unsigned index, unsigned depth, unsigned outputs)
      : Receiver(depth), owner_(owner), index_(index), word_(index / 64), bit_(std::uint64_t{1} << index % 64) {
    for (unsigned o = 0; o < outputs; ++o) queues.emplace_back(depth);
  }
  void push(Cycle at, Access& access) override {
    const unsigned index = owner_.route_(access, owner_.route_argument_);
    Output& output = owner_.outputs_[index];
    if (queues[index].empty()) {
      output.head[index_] = at;
      output.waiting[word_] |= bit_;
    }
    queues[index].push({at, &access});
    ++owner_.held_;
  }
  std::vector<Ring<Arrival>> queues;  ///< one an output

 private:
  SwitchCore& owner_;
  unsigned index_;
  unsigned word_;  ///< of Output::waiting, and in it
  std::uint64_t bit_;
};

SwitchCore::SwitchCore(unsigned inputs, unsigned input_depth, unsigned outputs, unsigned output_width,
                       unsigned output_credits, Route route, unsigned route_argument, unsigned virtual_channels)
    : route_(route), route_argument_(route_argument), words_(inputs <= 64 ? 1 : kMostInputs / 64),
      virtual_channels_(virtual_channels) {
  assert(inputs <= kMostInputs);
  outputs_.reserve(outputs);
  for (unsigned o = 0; o < outputs; ++o) {
    outputs_.push_back({Outbox<Access>(output_width, output_credits), std::vector<Cycle>(inputs), {}, 0});
  }
  if (virtual_channels > 1) channels_.assign(outputs / virtual_channels, {SharedLink(output_width), 0});
  for (unsigned i = 0; i < inputs; ++i) inputs_.push_back(std::make_unique<Input>(*this, i, input_depth, outputs));
}

SwitchCore::~SwitchCore() = default;

Receiver<Access>& SwitchCore::input(unsigned i) { return *inputs_[i]; }

Cycle SwitchCore::advance(Cycle until) {
  return words_ == 1 ? advance_outputs<1>(until) : advance_outputs<kMostInputs / 64>(until);
}

template <unsigned words>
Cycle SwitchCore::advance_outputs(Cycle until) {
  Cycle next = kNever;
  if (virtual_channels_ > 1) {
    for (unsigned g = 0; g < channels_.size(); ++g) next = std::min(next, advance_channels<words>(g, until));
    return next;
  }
  for (unsigned o = 0; o < outputs_.size(); ++o) {
    if (any_waits<words>(outputs_[o])) next = std::min(next, advance_output<words>(outputs_[o], o, until));
  }
  return next;
}

template <unsigned words>
bool SwitchCore::any_waits(const Output& output) {
  std::uint64_t any = output.waiting[0];
  for (unsigned word = 1; word < words; ++word) any |= output.waiting[word];
  return any != 0;
}

/// Next input in round-robin order whose head for the output has arrived by `now`; kNone if there is none.
template <>
unsigned SwitchCore::choose<1>(const Output& output, Cycle now) {
  const std::uint64_t waiting = output.waiting[0], from_next = ~std::uint64_t{0} << output.next_input;
  for (std::uint64_t mask : {waiting & from_next, waiting & ~from_next}) {
    for (; mask; mask &= mask - 1) {
      const auto candidate = static_cast<unsigned>(__builtin_ctzll(mask));
      if (output.head[candidate] <= now) return candidate;
    }
  }
  return kNone;
}

/// The same over several words. That of the first input is looked at twice: from this input on, and at last up to it.
template <unsigned words>
unsigned SwitchCore::choose(const Output& output, Cycle now) {
  const std::uint64_t from_next = ~std::uint64_t{0} << output.next_input % 64;
  const unsigned first = output.next_input / 64;
  for (unsigned seen = 0; seen <= words; ++seen) {
    const unsigned word = (first + seen) % words;
    std::uint64_t mask = output.waiting[word];
    if (seen == 0) mask &= from_next;
    if (seen == words) mask &= ~from_next;
    for (; mask; mask &= mask - 1) {
      const unsigned candidate = word * 64 + static_cast<unsigned>(__builtin_ctzll(mask));
      if (output.head[candidate] <= now) return candidate;
    }
  }
  return kNone;
}

template <unsigned words>
Cycle SwitchCore::first_arrival(const Output& output) {
  Cycle first = kNever;
  for (unsigned word = 0; word < words; ++word) {
    for (std::uint64_t mask = output.waiting[word]; mask; mask &= mask - 1) {
      first = std::min(first, output.head[word * 64 + static_cast<unsigned>(__builtin_ctzll(mask))]);
    }
  }
  return first;
}

/// Sends the first packet for the output at input `chosen`. Every packet of a run comes through here, most of them twice.
template <unsigned words>
[[gnu::always_inline]] inline Access& SwitchCore::pass(Output& output, unsigned index, unsigned chosen, Cycle now) {
  Input& input = *inputs_[chosen];
  Ring<Arrival>& queue = input.queues[index];
  const Arrival arrival = queue.pop();
  if (queue.empty()) {
    output.waiting[words == 1 ? 0 : chosen / 64] &= ~(std::uint64_t{1} << chosen % 64);
  } else {
    output.head[chosen] = queue.front().at;
  }
  output.next_input = (chosen + 1) % (64 * words);
  input.freed(now);
  output.link.send(now, *arrival.access);
  --held_;
  ++statistics_.packets;
  statistics_.flits += arrival.access->flits;
  statistics_.wait += now - arrival.at;
  return *arrival.access;
}

template <unsigned words>
Cycle SwitchCore::advance_output(Output& output, unsigned index, Cycle until) {
  while (any_waits<words>(output)) {
    Cycle now = output.link.ready_at();
    if (now >= until) return now;
    unsigned chosen = choose<words>(output, now);
    if (chosen == kNone) {  // the link waits for a packet
      now = first_arrival<words>(output);
      if (now >= until) return now;
      chosen = choose<words>(output, now);
    }
    pass<words>(output, index, chosen, now);
  }
  return kNever;
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
      if (!any_waits<words>(output)) continue;
      const Cycle at = std::max({output.link.ready_at(), channels.link.free_at(), first_arrival<words>(output)});
      if (at < now) now = at, channel = candidate;
    }
    if (now >= until) return now;
    const unsigned index = group * virtual_channels_ + channel;
    Output& output = outputs_[index];
    const Access& access = pass<words>(output, index, choose<words>(output, now), now);
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
