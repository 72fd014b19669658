/// The traffic that the kernel order of a context had in a run: per cycle at most one block is sent, and one kernel arrives
/// or ends. Between events the inputs are those of the last block, without kernels that have ended and with kernels that have
/// arrived.
#pragma once

#include <fmt/format.h>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/bit_words.h"
#include "models/work_distributor/decisions.h"
#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {

using OrderKind = KernelOrderEvent::Kind;

class PlayedKernelOrder {
 public:
  /// `events`, with kernels numbered as at the ports, must outlive it. Throws InputError if a design of this size is too
  /// small for the recording.
  PlayedKernelOrder(const KernelOrderSize& size, const std::vector<KernelOrderEvent>& events)
      : size_(size), playback_(events) {
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
    inputs_.rst_n = playback_.step([&](const KernelOrderEvent& event) { return add(event); });
    return inputs_;
  }
  /// A block is sent.
  bool answer(KernelOrderInputs&, std::optional<unsigned> granted) {
    if (!sent_) return false;
    if (granted) ++playback_.counts.answers;
    if (granted != sent_->kernel) ++playback_.counts.others;
    return granted.has_value();
  }
  void done(const KernelOrderInputs&, std::optional<unsigned>) {
    if (sent_ && sent_->kind == OrderKind::kSendsLast) clear_bit(inputs_.pending, sent_->kernel);
    if (!inputs_.event_valid) return;
    inputs_.event_enter ? set_bit(inputs_.pending, inputs_.event_kernel)
                        : clear_bit(inputs_.pending, inputs_.event_kernel);
  }

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

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
  Playback<KernelOrderEvent> playback_;
  KernelOrderInputs inputs_;
  const KernelOrderEvent* sent_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
