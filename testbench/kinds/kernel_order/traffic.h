/// Traffic for a kernel order, constrained-random or of a recording: kernels that arrive and end, their blocks left to send.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "models/bit_words.h"
#include "models/work_distributor/decisions.h"
#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_traffic.h"

namespace gputlm {

/// In per cent, unless the description says that it is a number.
#define KERNEL_ORDER_KNOBS(K)                                                                               \
  K(kernels, 1, size.kernels, "Maximum kernels in flight, a number")                                        \
  K(levels, 1, 1u << size.level_bits, "Levels of priority, a number")                                       \
  K(arrivals, 0, 100, "Cycles in which a warp or a kernel arrives, if there is room")                       \
  K(ends, 0, 100, "Other cycles in which a kernel ends, if there is one")                                   \
  K(next_ends, 0, 100, "Share of these in which the next kernel ends")                                      \
  K(pending, 0, 100, "Kernels with blocks left")                                                            \
  K(changes, 0, 100, "Cycles in which it is redrawn whether a warp can issue, or a kernel has blocks left") \
  K(resets, 0, 10000, "Resets in 10,000 cycles, a number")
GPUTLM_KNOBS(KernelOrder, KERNEL_ORDER_KNOBS);

class KernelOrderTraffic : public RandomTraffic<KernelOrderSize, KernelOrderKnobs> {
 public:
  using RandomTraffic::RandomTraffic;
  KernelOrderInputs reset() const { return {}; }
  KernelOrderInputs next(const KernelOrderReference& state, std::optional<unsigned> next) {
    if (episode_left_-- == 0) new_episode();
    KernelOrderInputs inputs;
    inputs.rst_n = !draw_reset();
    if (random_.chance(knobs_.changes)) {
      pending_ = {};
      for (unsigned k = 0; k < size_.kernels; ++k) {
        if (random_.chance(knobs_.pending)) set_bit(pending_, k);
      }
    }
    inputs.pending = pending_;
    const auto in_flight = static_cast<unsigned>(state.kernels().size());
    // The values of an absent event do not matter.
    inputs.event_kernel = random_.below(size_.kernels);
    inputs.event_level = random_.below(knobs_.levels);
    inputs.event_enter = random_.chance(50);
    if (!inputs.rst_n) return inputs;
    if (in_flight < knobs_.kernels && random_.chance(knobs_.arrivals)) {
      inputs.event_valid = inputs.event_enter = true;
      while (state.in_flight(inputs.event_kernel)) inputs.event_kernel = (inputs.event_kernel + 1) % size_.kernels;
    } else if (in_flight > 0 && random_.chance(knobs_.ends)) {
      inputs.event_valid = true;
      inputs.event_enter = false;
      inputs.event_kernel = state.kernels()[random_.below(in_flight)].number;
      if (next && state.in_flight(*next) && random_.chance(knobs_.next_ends)) inputs.event_kernel = *next;
    }
    return inputs;
  }
  /// Each cycle with a grant is a decision.
  bool answer(KernelOrderInputs&, std::optional<unsigned> granted) const { return granted.has_value(); }
  void done(const KernelOrderInputs&, std::optional<unsigned>) {}

 private:
  /// A new episode. The extremes are frequent: they fill the table, and empty it.
  void new_episode() {
    const unsigned levels = 1u << size_.level_bits;
    episode_left_ = random_.one_of({100u, 300u, 1000u});
    knobs_.kernels = random_.one_of({1u, 2u, size_.kernels, size_.kernels});
    knobs_.levels = random_.one_of({1u, 2u, levels, levels});
    knobs_.arrivals = random_.one_of({5u, 50u, 90u});
    knobs_.ends = random_.one_of({5u, 50u, 100u});
    knobs_.next_ends = random_.one_of({0u, 50u, 100u});
    knobs_.pending = random_.one_of({10u, 50u, 100u, 100u});
    knobs_.changes = random_.one_of({2u, 50u, 100u});
    knobs_.resets = random_.one_of({0u, 0u, 20u, 100u});
    reset_due_ = random_.chance(50);
    fix(knobs_, KernelOrderKnobs::all(size_), fixed_);
  }

  KernelNumbers pending_{};
};

using OrderKind = KernelOrderEvent::Kind;

/// The traffic that the kernel order of a context had in a run: per cycle at most one block is sent, and one kernel arrives
/// or ends. Between events the inputs are those of the last block, without kernels that have ended and with kernels that have
/// arrived.
class PlayedKernelOrder : public Playback<KernelOrderEvent> {
 public:
  /// `events`, with kernels numbered as at the ports, must outlive it. Throws InputError if a design of this size is too
  /// small for the recording.
  PlayedKernelOrder(const KernelOrderSize& size, const std::vector<KernelOrderEvent>& events)
      : Playback(events), size_(size) {
    const int levels = 1 << size.level_bits;
    for (const KernelOrderEvent& event : events) {
      played_at_most("number of a kernel in flight", event.kernel, size.kernels - 1);
      for (const KernelId kernel : event.pending)
        played_at_most("number of a kernel in flight", kernel, size.kernels - 1);
      if (event.priority < -levels / 2 || event.priority >= levels / 2) {
        throw InputError(fmt::format("the recording has a priority of {}, allowed in a design of this size: {} to {}",
                                     event.priority, -levels / 2, levels / 2 - 1));
      }
    }
  }

  KernelOrderInputs reset() const { return {}; }
  KernelOrderInputs next(const KernelOrderReference&, std::optional<unsigned>) {
    sent_ = nullptr;
    inputs_.event_valid = false;
    inputs_.rst_n = step([&](const KernelOrderEvent& event) { return add(event); });
    return inputs_;
  }
  /// A block is sent.
  bool answer(KernelOrderInputs&, std::optional<unsigned> granted) {
    if (!sent_) return false;
    if (granted) ++counts_.answers;
    if (granted != sent_->kernel) ++counts_.others;
    return granted.has_value();
  }
  void done(const KernelOrderInputs&, std::optional<unsigned>) {
    if (sent_ && sent_->kind == OrderKind::kSendsLast) clear_bit(inputs_.pending, sent_->kernel);
    if (!inputs_.event_valid) return;
    inputs_.event_enter ? set_bit(inputs_.pending, inputs_.event_kernel)
                        : clear_bit(inputs_.pending, inputs_.event_kernel);
  }

 private:
  /// False if it must wait for the next cycle: arrivals and ends take effect then.
  bool add(const KernelOrderEvent& event) {
    if (inputs_.event_valid) return false;
    if (event.kind == OrderKind::kSends || event.kind == OrderKind::kSendsLast) {
      if (sent_) return false;
      sent_ = &event;
      inputs_.pending = {};
      for (const KernelId kernel : event.pending) set_bit(inputs_.pending, kernel);
      return true;
    }
    inputs_.event_valid = true;
    inputs_.event_enter = event.kind == OrderKind::kComes;
    inputs_.event_kernel = event.kernel;
    inputs_.event_level = static_cast<std::uint32_t>(event.priority + (1 << (size_.level_bits - 1)));
    return true;
  }

  KernelOrderSize size_;
  KernelOrderInputs inputs_;
  const KernelOrderEvent* sent_ = nullptr;  ///< block that is sent in this cycle
};

}  // namespace gputlm
