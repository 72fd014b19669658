/// The common part of the policies that follow shortest remaining time first (srtf, section 5.1.1).
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

/// What these policies know about the GPU.
struct SampledGpu {
  explicit SampledGpu(const KernelOrderSetup& setup) : sm(setup.sm), sms(all_sms(setup.sms)), gpcs(setup.gpcs) {}
  Resources sm;  ///< resources of an empty SM
  SmSet sms;
  std::vector<SmSet> gpcs;  ///< SMs of each GPC
};

/// Offers the kernel to be sampled, if there is one, the first of its SMs; a kernel with clusters gets the SMs that a cluster
/// needs, on the first GPC that has enough. Returns the SMs that are left for the others, without the sampled ones, because the
/// sampled kernel's blocks may need these empty.
SmSet offer_sample(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor, const SampledGpu& gpu,
                   std::vector<Offer>& offers);

/// Who had each SM last: these policies hand SMs over from kernel to kernel, at block boundaries.
class SmOwners {
 public:
  explicit SmOwners(unsigned sms) : owners_(sms) {}
  /// A block of the kernel goes to the SM; returns whether the last one there was of another kernel.
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
  /// Whether the kernel that is to be sampled now differs from the previous one.
  bool begins(const std::vector<KernelState>& kernels, const SlicingPredictor& predictor) {
    const std::optional<std::size_t> sample = to_sample(kernels, predictor);
    if (!sample || kernels[*sample].launch->identity.kernel == last_) return false;
    last_ = kernels[*sample].launch->identity.kernel;
    return true;
  }

 private:
  std::optional<KernelId> last_;
};

/// Mean of `remaining` over the SMs `on`; none if it is unknown for one of them.
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

/// Offers each SM to one kernel: of those with blocks left that may run there, the one with the least `remaining(kernel, sm)`,
/// an optional<Cycle>; ties in order of arrival. Kernels without one are offered an SM only if no kernel has one, in order of
/// arrival. If a kernel has clusters, which find no room on single SMs, whole GPCs are offered instead, by the mean
/// over their SMs.
///
/// It is asked whenever a block ends. Unless more has changed, only that block's SM is decided again.
class ShortestFirst {
 public:
  /// A block has ended on the SM.
  void block_ended(SmId sm) { changed_.set(sm); }

  /// Appends to `offers`, for SMs `on`. `epoch`: SlicingPredictor::epoch(); `remaining` may depend on what the predictor
  /// knows, and on nothing else that changes.
  template <class Remaining>
  void offer(const std::vector<KernelState>& kernels, const SmSet& on, const std::vector<SmSet>& gpcs,
             std::uint64_t epoch, const Remaining& remaining, std::vector<Offer>& offers) {
    const bool same = follow(kernels, on, epoch);
    const bool by_gpc = std::any_of(candidates_.begin(), candidates_.end(),
                                    [&](const Candidate& c) { return kernels[c.index].cluster > 1; });
    const SmSet again = same && !by_gpc ? changed_ & on : on, kept = same ? ~again : SmSet();
    for (Candidate& candidate : candidates_) candidate.given &= kept;
    if (by_gpc) {
      for (const SmSet& gpc : gpcs) give(kernels, gpc & on, remaining);
    } else if (candidates_.size() == 1) {
      candidates_.front().given = candidates_.front().sms & on;
    } else {
      for (std::size_t sm = again._Find_first(); sm < again.size(); sm = again._Find_next(sm))
        give(kernels, SmSet().set(sm), remaining);
    }
    changed_.reset();
    for (const Candidate& candidate : candidates_) {
      if (candidate.given.any()) offers.push_back({candidate.index, candidate.given});
    }
  }

 private:
  /// A kernel with blocks left.
  struct Candidate {
    KernelId kernel;
    SmSet sms;  ///< SMs on which it may run
    std::size_t index = 0;
    SmSet given = {};
  };

  /// Adopts the subjects of the decision; returns whether they are the same as before, so that earlier decisions hold.
  bool follow(const std::vector<KernelState>& kernels, const SmSet& on, std::uint64_t epoch) {
    bool same = epoch == epoch_ && on == on_;
    std::size_t count = 0;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched()) continue;
      const KernelId kernel = kernels[i].launch->identity.kernel;
      if (count == candidates_.size()) candidates_.push_back({kernel, SmSet()});
      Candidate& candidate = candidates_[count++];
      same &= candidate.kernel == kernel && candidate.sms == kernels[i].sms;
      candidate.kernel = kernel;
      candidate.sms = kernels[i].sms;
      candidate.index = i;
    }
    same &= count == candidates_.size();
    candidates_.resize(count);
    epoch_ = epoch;
    on_ = on;
    return same;
  }

  /// Gives `sms` to the candidate with the least mean_remaining().
  template <class Remaining>
  void give(const std::vector<KernelState>& kernels, const SmSet& sms, const Remaining& remaining) {
    Candidate *best = nullptr, *oldest = nullptr;
    Cycle least = kNever;
    for (Candidate& candidate : candidates_) {
      const SmSet here = candidate.sms & sms;
      if (here.none()) continue;
      if (!oldest) oldest = &candidate;
      const std::optional<Cycle> cycles = mean_remaining(kernels[candidate.index], here, remaining);
      if (!cycles || *cycles >= least) continue;
      least = *cycles;
      best = &candidate;
    }
    if (!best) best = oldest;
    if (best) best->given |= best->sms & sms;
  }

  std::vector<Candidate> candidates_;  ///< candidates in order of arrival
  SmSet on_, changed_;
  std::uint64_t epoch_ = 0;
};

}  // namespace gputlm
