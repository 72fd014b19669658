#include <algorithm>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {
namespace {

/// Just-in-time MPMax (srtf, section 5.2.2): a kernel leaves room on each SM for one block of each other kernel that has
/// blocks left and may run there, or on the SMs of a GPC for one cluster of it. Kernels are offered in order of arrival, each
/// up to its limit. As soon as others have no blocks left, a kernel takes their room back. A kernel that would have no room
/// then keeps room for itself: its limit is at least one block.
///
/// With two kernels, that is all. With more, a kernel must not take the room that earlier kernels have left for later ones:
/// it gets the room that remains with all earlier kernels at their limits, and leaves a block for each later kernel.
class MpMax final : public KernelOrder {
 public:
  explicit MpMax(const KernelOrderSetup& setup) : sm_(setup.sm) {}

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    std::vector<unsigned> limits(kernels.size());
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched()) continue;
      limits[i] = limit(kernels, i, limits);
      offers.push_back({i, kernels[i].sms, limits[i]});
    }
  }

 private:
  /// `limits`: limits of the kernels before it.
  unsigned limit(const std::vector<KernelState>& kernels, std::size_t kernel,
                 const std::vector<unsigned>& limits) const {
    Resources room = sm_;
    bool shared = false;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (i == kernel || kernels[i].all_dispatched() || (kernels[i].sms & kernels[kernel].sms).none()) continue;
      shared = true;
      const unsigned blocks = i < kernel ? limits[i] : kernels[i].least_residency;
      if (residency(kernels[i].demand, room) < blocks) return kernels[kernel].least_residency;
      room -= kernels[i].demand.takes * blocks;
    }
    if (!shared) return std::numeric_limits<unsigned>::max();
    return std::max(kernels[kernel].least_residency, residency(kernels[kernel].demand, room));
  }

  Resources sm_;
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<MpMax>({{"mpmax", 3},
                              "First launched first, but each kernel leaves room for a block of every other",
                              "srtf, section 5.2.2",
                              {Property::kRepeats}});
}

}  // namespace gputlm
