#include <algorithm>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

/// Just-in-time MPMax (srtf, section 5.2.2): a kernel leaves room on each SM for one block of each other kernel that has
/// blocks left and may run there; in order of arrival, up to that limit each. As soon as others have none left, it takes
/// their room back. A kernel that would have no room then keeps room for itself: its limit is at least one block.
class MpMax final : public KernelOrder {
 public:
  explicit MpMax(const Resources& sm) : sm_(sm) {}

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (!kernels[i].all_dispatched()) offers.push_back({i, kernels[i].sms, limit(kernels, i)});
    }
  }

 private:
  unsigned limit(const std::vector<KernelState>& kernels, std::size_t kernel) const {
    Resources room = sm_;
    bool shared = false;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (i == kernel || kernels[i].all_dispatched() || (kernels[i].sms & kernels[kernel].sms).none()) continue;
      shared = true;
      if (!fits(kernels[i].demand, room)) return 1;
      room -= kernels[i].demand.takes;
    }
    if (!shared) return std::numeric_limits<unsigned>::max();
    return std::max(1u, residency(kernels[kernel].demand, room));
  }

  Resources sm_;
};

}  // namespace

std::unique_ptr<KernelOrder> make_mpmax(const KernelOrderSetup& setup) { return std::make_unique<MpMax>(setup.sm); }

}  // namespace gputlm
