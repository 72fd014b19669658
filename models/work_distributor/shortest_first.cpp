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

SmSet offer_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor, const SampledGpu& gpu,
                   std::vector<Offer>& offers) {
  const std::optional<std::size_t> sample = to_sample(kernels, predictor);
  if (!sample) return gpu.sms;
  const KernelState& kernel = kernels[*sample];
  const unsigned of_sm = std::max(1u, residency(kernel.demand, gpu.sm));
  std::size_t left = 1;
  SmSet where = kernel.sms;
  if (kernel.cluster > 1) {
    left = (kernel.cluster + of_sm - 1) / of_sm;
    const auto has_room = [&](const SmSet& gpc) { return (gpc & kernel.sms).count() >= left; };
    where &= *std::find_if(gpu.gpcs.begin(), gpu.gpcs.end(), has_room);  // one has, as the cluster fits somewhere
  }
  SmSet sampled;
  for (std::size_t sm = where._Find_first(); left > 0; sm = where._Find_next(sm), --left) sampled.set(sm);
  offers.push_back({*sample, sampled});
  return gpu.sms & ~sampled;
}

}  // namespace gputlm
