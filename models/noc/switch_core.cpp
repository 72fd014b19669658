#include "models/noc/switch_core.h"

#include <algorithm>

#include "tlm/counter_table.h"

namespace gputlm {

class SwitchCore::Input final : public Receiver<Access> {
 public:
  Input(SwitchCore& owner, unsigned index, unsigned depth, unsigned outputs)
      : Receiver(depth), owner_(owner), index_(index) {
    for (unsigned o = 0; o < outputs; ++o) queues.emplace_back(depth);
  }
  void push(Cycle at, Access& access) override {
    const unsigned index = owner_.route_(access, owner_.route_argument_);
    Output& output = owner_.outputs_[index];
    if (queues[index].empty()) {
      output.head[index_] = at;
      output.waiting |= std::uint64_t{1} << index_;
    }
    queues[index].push({at, &access});
    ++owner_.held_;
  }
  std::vector<Ring<Arrival>> queues;  ///< one an output

 private:
  SwitchCore& owner_;
  unsigned index_;
};

SwitchCore::SwitchCore(unsigned inputs, unsigned input_depth, unsigned outputs, unsigned output_width,
                       unsigned output_credits, Route route, unsigned route_argument)
    : route_(route), route_argument_(route_argument) {
  assert(inputs <= 64);
  outputs_.reserve(outputs);
  for (unsigned o = 0; o < outputs; ++o) {
    outputs_.push_back({Outbox<Access>(output_width, output_credits), std::vector<Cycle>(inputs), 0, 0});
  }
  for (unsigned i = 0; i < inputs; ++i) inputs_.push_back(std::make_unique<Input>(*this, i, input_depth, outputs));
}

SwitchCore::~SwitchCore() = default;

Receiver<Access>& SwitchCore::input(unsigned i) { return *inputs_[i]; }

Cycle SwitchCore::advance(Cycle until) {
  Cycle next = kNever;
  for (unsigned o = 0; o < outputs_.size(); ++o) {
    if (outputs_[o].waiting) next = std::min(next, advance(outputs_[o], o, until));
  }
  return next;
}

/// Next input in round-robin order whose head for the output has arrived by `now`; kNone if there is none.
unsigned SwitchCore::choose(const Output& output, Cycle now) {
  const std::uint64_t from_next = ~std::uint64_t{0} << output.next_input;
  for (std::uint64_t mask : {output.waiting & from_next, output.waiting & ~from_next}) {
    for (; mask; mask &= mask - 1) {
      const auto candidate = static_cast<unsigned>(__builtin_ctzll(mask));
      if (output.head[candidate] <= now) return candidate;
    }
  }
  return kNone;
}

Cycle SwitchCore::advance(Output& output, unsigned index, Cycle until) {
  while (output.waiting) {
    Cycle now = output.link.ready_at();
    if (now >= until) return now;
    unsigned chosen = choose(output, now);
    if (chosen == kNone) {  // the link waits for a packet
      now = kNever;
      for (std::uint64_t mask = output.waiting; mask; mask &= mask - 1) {
        now = std::min(now, output.head[static_cast<unsigned>(__builtin_ctzll(mask))]);
      }
      if (now >= until) return now;
      chosen = choose(output, now);
    }
    Input& input = *inputs_[chosen];
    Ring<Arrival>& queue = input.queues[index];
    const Arrival arrival = queue.pop();
    if (queue.empty()) {
      output.waiting &= ~(std::uint64_t{1} << chosen);
    } else {
      output.head[chosen] = queue.front().at;
    }
    output.next_input = (chosen + 1) % 64;
    input.freed(now);
    output.link.send(now, *arrival.access);
    --held_;
    ++statistics_.packets;
    statistics_.flits += arrival.access->flits;
    statistics_.wait += now - arrival.at;
  }
  return kNever;
}

std::vector<std::string> packets_waiting(const std::string& unit, const SwitchCore& requests,
                                         const SwitchCore& replies) {
  const std::size_t held = requests.held() + replies.held();
  if (held == 0) return {};
  return {unit + ": " + std::to_string(held) + " packets waiting"};
}

GPUTLM_REGISTER { add_counter_table<SwitchStatistics>("switch", "noc", 30); }

}  // namespace gputlm
