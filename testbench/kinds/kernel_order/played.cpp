#include "testbench/kinds/kernel_order/played.h"

#include <fmt/format.h>

#include "models/bit_words.h"
#include "testbench/lockstep/played_limit.h"

namespace gputlm {
namespace {

using OrderKind = KernelOrderEvent::Kind;

}  // namespace

PlayedKernelOrder::PlayedKernelOrder(const KernelOrderSize& size, const std::vector<KernelOrderEvent>& events)
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

KernelOrderInputs PlayedKernelOrder::next(const KernelOrderReference&, std::optional<unsigned>) {
  sent_ = nullptr;
  inputs_.event_valid = false;
  inputs_.rst_n = playback_.step([&](const KernelOrderEvent& event) { return add(event); });
  return inputs_;
}

/// False if it has to wait for the next cycle: what comes or ends is known then.
bool PlayedKernelOrder::add(const KernelOrderEvent& event) {
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

bool PlayedKernelOrder::sends(std::optional<unsigned> granted) {
  if (!sent_) return false;
  if (granted) ++playback_.counts.answers;
  if (granted != sent_->kernel) ++playback_.counts.others;
  return granted.has_value();
}

void PlayedKernelOrder::done() {
  if (sent_ && sent_->kind == OrderKind::kSendsLast) clear_bit(inputs_.pending, sent_->kernel);
  if (!inputs_.event_valid) return;
  inputs_.event_enter ? set_bit(inputs_.pending, inputs_.event_kernel)
                      : clear_bit(inputs_.pending, inputs_.event_kernel);
}

}  // namespace gputlm
