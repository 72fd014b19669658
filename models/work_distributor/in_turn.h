/// Kernels that take turns: no kernel gets a block before the one ahead of it has sent all of its own.
#pragma once

#include <vector>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// Offers kernels one after the other: only the kernel at the head may have blocks placed; when all of them are out, the
/// next one gets what is left (most-room, section 6). With partitions each SM has a head: the first kernel with blocks
/// left that may use it. A kernel is offered on the SMs of its partition that no earlier kernel with blocks left may
/// use, so no kernel is passed, and none waits for a kernel with which it shares no SM.
class InTurn {
 public:
  InTurn(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) : kernels_(kernels), offers_(offers) {}

  /// Takes this kernel, an index in the kernels, as the next in the order; skips it if it has no blocks left. False if no
  /// SM is left for others.
  bool offer(std::size_t kernel) {
    if (kernels_[kernel].all_dispatched()) return true;
    const SmSet sms = kernels_[kernel].sms & left_;
    if (sms.any()) offers_.push_back({kernel, sms});
    left_ &= ~kernels_[kernel].sms;
    return left_.any();
  }

 private:
  const std::vector<KernelState>& kernels_;
  std::vector<Offer>& offers_;
  SmSet left_ = SmSet().set();
};

}  // namespace gputlm
