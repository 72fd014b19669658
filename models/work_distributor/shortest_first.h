/// What the policies that follow shortest remaining time first have in common (srtf, section 5.1.1).
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// The kernel to be sampled, as an index. While there are others to run (known ones with blocks left, or else the one
/// that came first), it is the first kernel, in order of arrival, of which no block has ended: one at a time, in FIFO
/// order.
std::optional<std::size_t> to_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor);

/// Offers the kernel to be sampled, if there is one, the first of its SMs. Returns the SMs out of `sms` that are left
/// for the others: the sampled SM is no longer theirs, that one's blocks may need it empty.
SmSet offer_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor, const SmSet& sms,
                   std::vector<Offer>& offers);

/// Who had each SM last: these policies hand SMs over from kernel to kernel, at block boundaries.
class SmOwners {
 public:
  explicit SmOwners(unsigned sms) : owners_(sms) {}
  /// A block of the kernel goes to the SM; whether the last one there was of another kernel.
  bool hands_over(KernelId kernel, SmId sm) {
    const std::optional<KernelId> before = std::exchange(owners_[sm], kernel);
    return before && *before != kernel;
  }

 private:
  std::vector<std::optional<KernelId>> owners_;
};

/// Which kernel is being sampled, from one decision to the next.
class Sampling {
 public:
  /// Whether the kernel that is to be sampled now is another one than before.
  bool begins(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor) {
    const std::optional<std::size_t> sample = to_sample(kernels, predictor);
    if (!sample || kernels[*sample].launch->identity.kernel == last_) return false;
    last_ = kernels[*sample].launch->identity.kernel;
    return true;
  }

 private:
  std::optional<KernelId> last_;
};

/// Offers each of the SMs `on` to one kernel: of those with blocks left that may run there, the one with the least
/// `remaining(kernel, sm)`, an optional<Cycle>; ties in order of arrival. Those without one are offered an SM only where
/// no kernel has one, in order of arrival.
template <class Remaining>
void offer_shortest(const std::vector<KernelState>& kernels, const SmSet& on, const Remaining& remaining,
                    std::vector<Offer>& offers) {
  std::vector<SmSet> given(kernels.size());
  for (SmId sm = 0; sm < kMaxSms; ++sm) {
    if (!on.test(sm)) continue;
    std::optional<std::size_t> best, oldest;
    Cycle least = kNever;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched() || !kernels[i].sms.test(sm)) continue;
      if (!oldest) oldest = i;
      const std::optional<Cycle> cycles = remaining(kernels[i], sm);
      if (!cycles || *cycles >= least) continue;
      least = *cycles;
      best = i;
    }
    if (!best) best = oldest;
    if (best) given[*best].set(sm);
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (given[i].any()) offers.push_back({i, given[i]});
  }
}

}  // namespace gputlm
