/// What the kernel order of a context saw in a run, as traffic: one block that is sent a cycle, and one kernel that comes or
/// ends. In between, it is shown what it was shown when a block was sent, short of what has ended, and with what has come.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/work_distributor/decisions.h"
#include "models/work_distributor/rtl_kernel_order.h"
#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/played.h"

namespace gputlm {

class PlayedKernelOrder {
 public:
  /// `events`, with kernels by their numbers at the ports, must outlive it. Throws InputError if a design of this size cannot
  /// hold what was recorded.
  PlayedKernelOrder(const KernelOrderSize& size, const std::vector<KernelOrderEvent>& events);

  KernelOrderInputs next(const KernelOrderReference&, std::optional<unsigned>);
  /// A block is sent.
  bool sends(std::optional<unsigned> granted);
  void done();

  bool ended() const { return playback_.ended(); }
  std::uint64_t cycles() const { return playback_.cycles(); }
  Played played() const { return playback_.counts; }

 private:
  bool add(const KernelOrderEvent& event);

  KernelOrderSize size_;
  Playback<KernelOrderEvent> playback_;
  KernelOrderInputs inputs_;
  const KernelOrderEvent* sent_ = nullptr;  ///< in this cycle
};

}  // namespace gputlm
