/// What the policies that follow shortest remaining time first have in common (srtf, section 5.1.1).
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "models/work_distributor/kernel_order.h"

namespace gputlm {

/// The kernel to be sampled, as an index. While there are others to run (known ones with blocks left, or else the one
/// that came first), it is the first kernel, in order of arrival, of which no block has ended: one at a time, in FIFO
/// order.
std::optional<std::size_t> to_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor);

/// What these policies know of the GPU.
struct SampledGpu {
  explicit SampledGpu(const KernelOrderSetup& setup) : sm(setup.sm), sms(all_sms(setup.sms)), gpcs(setup.gpcs) {}
  Resources sm;  ///< of each SM, when it is empty
  SmSet sms;
  std::vector<SmSet> gpcs;  ///< SMs of each
};

/// Offers the kernel to be sampled, if there is one, the first of its SMs; one with clusters as many of the first GPC that
/// has so many as a cluster needs. Returns the SMs that are left for the others: the sampled ones are no longer theirs, that
/// one's blocks may need them empty.
SmSet offer_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor, const SampledGpu& gpu,
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

/// Of the mean over SMs `on`; none if the kernel has none there.
template <class Remaining>
std::optional<Cycle> mean_remaining(const KernelState& kernel, const SmSet& on, const Remaining& remaining) {
  Cycle sum = 0, count = 0;
  for (std::size_t sm = on._Find_first(); sm < on.size(); sm = on._Find_next(sm)) {
    const std::optional<Cycle> cycles = remaining(kernel, static_cast<SmId>(sm));
    if (!cycles) return std::nullopt;
    sum += *cycles;
    ++count;
  }
  return sum / count;
}

/// Gives `sms` to the kernel, of those from offers[first] on that may run there, with the least mean_remaining(); ties in order
/// of arrival.
template <class Remaining>
void give_to_shortest(const std::vector<KernelState>& kernels, const SmSet& sms, const Remaining& remaining,
                      std::vector<Offer>& offers, std::size_t first) {
  Offer *best = nullptr, *oldest = nullptr;
  Cycle least = kNever;
  for (std::size_t i = first; i < offers.size(); ++i) {
    const KernelState& kernel = kernels[offers[i].kernel];
    const SmSet here = kernel.sms & sms;
    if (here.none()) continue;
    if (!oldest) oldest = &offers[i];
    const std::optional<Cycle> cycles = mean_remaining(kernel, here, remaining);
    if (!cycles || *cycles >= least) continue;
    least = *cycles;
    best = &offers[i];
  }
  if (!best) best = oldest;
  if (best) best->sms |= kernels[best->kernel].sms & sms;
}

/// Offers each of the SMs `on` to one kernel: of those with blocks left that may run there, the one with the least
/// `remaining(kernel, sm)`, an optional<Cycle>; ties in order of arrival. Those without one are offered an SM only where
/// no kernel has one, in order of arrival. Where a kernel has clusters, which find no room on single SMs, a GPC at a time
/// is offered instead, by the mean over its SMs. It is asked whenever a block ends, mostly with a single kernel.
template <class Remaining>
void offer_shortest(const std::vector<KernelState>& kernels, const SmSet& on, const std::vector<SmSet>& gpcs,
                    const Remaining& remaining, std::vector<Offer>& offers) {
  const std::size_t first = offers.size();
  bool by_gpc = false;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].all_dispatched()) continue;
    offers.push_back({i, SmSet()});
    by_gpc |= kernels[i].cluster > 1;
  }
  if (by_gpc) {
    for (const SmSet& gpc : gpcs) give_to_shortest(kernels, gpc & on, remaining, offers, first);
  } else if (offers.size() - first == 1) {
    offers[first].sms = kernels[offers[first].kernel].sms & on;
  } else {
    for (std::size_t sm = on._Find_first(); sm < on.size(); sm = on._Find_next(sm))
      give_to_shortest(kernels, SmSet().set(sm), remaining, offers, first);
  }
  const auto none = [](const Offer& offer) { return offer.sms.none(); };
  offers.erase(std::remove_if(offers.begin() + static_cast<std::ptrdiff_t>(first), offers.end(), none), offers.end());
}

}  // namespace gputlm
