#include "models/work_distributor/shortest_first.h"

#include <algorithm>

namespace gputlm {

std::optional<std::size_t> to_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor) {
  const auto known = [&](const KernelState& kernel) { return predictor.sampled(kernel.launch->identity.kernel); };
  bool others_run = std::any_of(kernels.begin(), kernels.end(),
                                [&](const KernelState& k) { return !k.all_dispatched() && known(k); });
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (kernels[i].all_dispatched() || known(kernels[i])) continue;
    if (others_run) return i;
    others_run = true;  // none is known: the first to arrive runs
  }
  return std::nullopt;
}

SmSet offer_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor, const SmSet& sms,
                   std::vector<Offer>& offers) {
  const std::optional<std::size_t> sample = to_sample(kernels, predictor);
  if (!sample) return sms;
  SmId first = 0;
  while (!kernels[*sample].sms.test(first)) ++first;
  SmSet sampled;
  sampled.set(first);
  offers.push_back({*sample, sampled});
  return sms & ~sampled;
}

}  // namespace gputlm
