#include "models/noc/switch_core.h"

#include <algorithm>
#include <utility>

#include "models/noc/recorded_flit_arbiter.h"
#include "tlm/counter_table.h"

namespace gputlm {

SwitchCore::SwitchCore(unsigned inputs, unsigned outputs, unsigned output_width, unsigned output_credits,
                       unsigned virtual_channels)
    : virtual_channels_(virtual_channels) {
  assert(inputs <= kMaxInputs && outputs <= 1u << 16);
  outputs_.reserve(outputs);
  for (unsigned o = 0; o < outputs; ++o) {
    outputs_.push_back({Outbox<Access>(output_width, output_credits), OutputQueue(inputs)});
    turns_.push_back({nullptr, nullptr, 0, 0, static_cast<std::uint16_t>(o)});
  }
  if (virtual_channels > 1) channels_.assign(outputs / virtual_channels, {SharedLink(output_width), 0});
}

SwitchCore::~SwitchCore() = default;

SwitchStatistics SwitchCore::statistics() const {
  SwitchStatistics all = statistics_;
  for (const Output& output : outputs_) all.flits += output.link.flits();
  return all;
}

void SwitchCore::ask(const FlitArbitration& arbitration) {
  asks_ = true;
  for (Output& output : outputs_) {
    output.queue.ask(flit_arbiters().at(arbitration.policy).make({inputs(), arbitration.options}), inputs(),
                     arbitration.issued);
  }
}

Tap<FlitArbiterEvent>& SwitchCore::record(unsigned output) {
  if (!asks_) ask({});
  auto& tap = *recorded_.emplace_back(std::make_unique<Tap<FlitArbiterEvent>>());
  outputs_[output].queue.wrap(
      [&](std::unique_ptr<FlitArbiter> policy) { return recorded(std::move(policy), inputs(), tap); });
  return tap;
}

void SwitchCore::count(PolicyCounts& counts) const {
  for (const Output& output : outputs_) output.queue.count(counts);
}

void SwitchCore::grow_and_push(unsigned input, Cycle at, Access& access, unsigned output) {
  packets_.grow();
  push(input, at, access, output);
}

Cycle SwitchCore::advance(Cycle until) {
  if (!starved_.empty()) look_for_credits();
  for (;;) {
    const Cycle next = calendar_.next(), from = std::min(next, until);
    calendar_.begin_at(from);
    if (next >= until) return next;
    const Cycle end = std::min(until, from + calendar_.kCycles);
    if (asks_) {
      run<OutputChoice::kByPolicy>(from, end);
    } else {
      inputs() <= 64 ? run<OutputChoice::kFewTurn>(from, end) : run<OutputChoice::kTurn>(from, end);
    }
  }
}

/// Lists the outputs that have received credits, which come between calls of advance().
void SwitchCore::look_for_credits() {
  const auto fed = std::partition(starved_.begin(), starved_.end(),
                                  [this](const Packet* turn) { return outputs_[turn->output].link.starved(); });
  for (auto turn = fed; turn != starved_.end(); ++turn) list(**turn, outputs_[(*turn)->output].link.ready_at());
  starved_.erase(fed, starved_.end());
}

inline void SwitchCore::list(Packet& turn, Cycle at) {
  if (at == kNever) return starved_.push_back(&turn);
  calendar_.add(at, turn);
}

/// Every packet of a run passes through here, most of them twice.
[[gnu::always_inline]] inline void SwitchCore::pass(Output& output, Packet& packet, Cycle now) {
  inputs_[packet.input]->freed(now);
  output.link.send(now, *packet.access);
  ++statistics_.packets;
  statistics_.wait += static_cast<std::uint32_t>(now) - packet.arrival;
  packets_.give_back(packet);
}

/// Computes the cycles from `from` on and before `until`, at most the number of cycles of a calendar.
template <OutputChoice choice>
void SwitchCore::run(Cycle from, Cycle until) {
  const std::uint64_t window = ~std::uint64_t{0} >> (calendar_.kCycles - (until - from));
  while (const std::uint64_t cycles = calendar_.cycles() & window) {
    const Cycle now = from + static_cast<unsigned>(__builtin_ctzll(cycles));
    Packet &last = calendar_.take(now), *next = last.next, *packet = nullptr;
    Packet* due = nullptr;  // list of the turns of this cycle
    if (next == &last) {
      arrive<choice, true>(last, now, due);
    } else {
      do {
        packet = next;
        next = packet->next;
        arrive<choice, false>(*packet, now, due);
      } while (packet != &last);
    }
    // Arrivals of a cycle can leave in it, and take part in the choice.
    while (due) send<choice>(*std::exchange(due, due->next), now);
  }
}

/// A packet arrives in cycle `now`, or it is the turn of an output. `alone`: nothing else happens in this cycle.
template <OutputChoice choice, bool alone>
[[gnu::always_inline]] inline void SwitchCore::arrive(Packet& packet, Cycle now, Packet*& due) {
  Packet* turn = &packet;
  if (packet.access) {
    Output& output = outputs_[packet.output];
    if (output.only) output.queue.push<choice>(*std::exchange(output.only, nullptr));
    if (output.listed) return output.queue.push<choice>(packet);
    const Cycle ready = output.link.ready_at();
    if (choice == OutputChoice::kByPolicy || virtual_channels_ > 1) {
      output.queue.push<choice>(packet);
    } else if (alone && ready <= now) {
      output.queue.passed(packet);
      return pass(output, packet, now);
    } else {
      output.only = &packet;
    }
    output.listed = true;
    turn = &turns_[packet.output];
    if (ready > now) return list(*turn, ready);
  }
  turn->next = due;
  due = turn;
}

/// Sends the packets that can leave by an output in cycle `now`, when it is its turn.
template <OutputChoice choice>
[[gnu::always_inline]] inline void SwitchCore::send(Packet& turn, Cycle now) {
  if (virtual_channels_ > 1) return send_channel<choice>(turn, now);
  Output& output = outputs_[turn.output];
  Packet* packet = std::exchange(output.only, nullptr);
  if (packet) {
    output.queue.passed(*packet);
  } else {
    packet = &output.queue.pop<choice>(now);
  }
  for (;;) {
    pass(output, *packet, now);
    if (output.queue.empty()) {
      output.listed = false;
      return;
    }
    if (const Cycle next = output.link.ready_at(); next > now) return list(turn, next);
    packet = &output.queue.pop<choice>(now);
  }
}

/// Does the same for outputs that share a link. If several could send, the next in turn does, no matter which of them is in
/// the calendar. Each output is there no later than it can send.
template <OutputChoice choice>
void SwitchCore::send_channel(Packet& turn, Cycle now) {
  const unsigned group = turn.output / virtual_channels_;
  Channels& channels = channels_[group];
  for (unsigned i = 0; i < virtual_channels_ && channels.link.free_at() <= now;) {
    const unsigned channel = (channels.next + i++) % virtual_channels_;
    Output& output = outputs_[group * virtual_channels_ + channel];
    if (output.queue.empty() || output.link.ready_at() > now) continue;
    Packet& packet = output.queue.pop<choice>(now);
    channels.link.sent(now, packet.access->flits);
    channels.next = (channel + 1) % virtual_channels_;
    i = 0;
    pass(output, packet, now);
  }
  Output& output = outputs_[turn.output];
  output.listed = !output.queue.empty();
  if (output.listed) list(turn, std::max(output.link.ready_at(), channels.link.free_at()));
}

std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies) {
  const std::size_t held = requests.held() + replies.held();
  if (held == 0) return {};
  return {unit + ": " + std::to_string(held) + " packets waiting"};
}

GPUTLM_REGISTER { add_counter_table<SwitchStatistics>("switch", {"noc"}); }

}  // namespace gputlm
