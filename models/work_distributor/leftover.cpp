#include <algorithm>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

/// Leftover (first in, first out): only the kernel at the head may have blocks placed; when all of them are out, the
/// next one gets what is left (most-room, section 6).
class Leftover final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    const auto head =
        std::find_if(kernels.begin(), kernels.end(), [](const KernelState& k) { return !k.all_dispatched(); });
    if (head == kernels.end()) return;
    offers.push_back({static_cast<std::size_t>(head - kernels.begin()), SmSet().set()});
  }
};

}  // namespace

std::unique_ptr<KernelOrder> make_leftover() { return std::make_unique<Leftover>(); }

}  // namespace gputlm
