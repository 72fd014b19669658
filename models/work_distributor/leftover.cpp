#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

/// Leftover (first in, first out): only the kernel at the head may have blocks placed; when all of them are out, the
/// next one gets what is left (most-room, section 6). With partitions each SM has a head: the first kernel with blocks
/// left that may use it. A kernel is offered on the SMs of its partition that no earlier kernel with blocks left may
/// use, so nobody is passed, and nobody waits for a kernel with which it shares no SM.
class Leftover final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    SmSet left = SmSet().set();
    for (std::size_t i = 0; i < kernels.size() && left.any(); ++i) {
      if (kernels[i].all_dispatched()) continue;
      const SmSet sms = kernels[i].sms & left;
      if (sms.any()) offers.push_back({i, sms});
      left &= ~kernels[i].sms;
    }
  }
};

}  // namespace

std::unique_ptr<KernelOrder> make_leftover(const KernelOrderSetup&) { return std::make_unique<Leftover>(); }

}  // namespace gputlm
