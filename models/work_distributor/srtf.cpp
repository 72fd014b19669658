#include <optional>

#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/slicing_predictor.h"

namespace gputlm {
namespace {

/// Shortest remaining time first (srtf, section 5.1.1), by the predictions of SlicingPredictor, SM by SM.
///
/// A kernel of which no block has ended is not known yet. While there are known ones with blocks left, the first unknown
/// one, in order of arrival, is sampled: it gets the first of its SMs for itself, and nothing else. On every other SM
/// the known kernel that will end there first gets the next block; blocks that run are not interrupted, so an SM changes
/// hands at block boundaries. While none is known, the one that came first gets these SMs. Everything follows from the
/// predictions as they are now: an SM switches back when they change.
class Srtf final : public KernelOrder {
 public:
  explicit Srtf(const KernelOrderSetup& setup) : setup_(setup), predictor_(setup.sms) {}

  void launched(const KernelState& kernel, Cycle) override {
    predictor_.launched(kernel.launch->id, kernel.blocks, residency(kernel.demand, setup_.sm), count(kernel.sms));
  }
  void block_sent(const KernelState& kernel, SmId sm, Cycle now) override {
    predictor_.block_sent(kernel.launch->id, sm, now);
  }
  void block_ended(const KernelState& kernel, const BlockLaunch& block, Cycle now) override {
    predictor_.block_ended(kernel.launch->id, block.sm, block.end - block.start, now);
  }
  void ended(const KernelState& kernel, Cycle) override { predictor_.ended(kernel.launch->id); }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    SmSet left = all_sms();
    if (const auto sample = to_sample(kernels)) {
      const SmSet sm = first_of(kernels[*sample].sms);
      offers.push_back({*sample, sm});
      left &= ~sm;
    }
    std::vector<SmSet> given(kernels.size());
    for (SmId sm = 0; sm < setup_.sms; ++sm) {
      if (!left.test(sm)) continue;
      if (const auto kernel = shortest(kernels, sm)) given[*kernel].set(sm);
    }
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (given[i].any()) offers.push_back({i, given[i]});
    }
  }

 private:
  unsigned count(const SmSet& sms) const { return static_cast<unsigned>((sms & all_sms()).count()); }
  SmSet all_sms() const { return SmSet().set() >> (kMaxSms - setup_.sms); }
  static SmSet first_of(const SmSet& sms) {
    SmSet first;
    SmId sm = 0;
    while (!sms.test(sm)) ++sm;
    first.set(sm);
    return first;
  }
  bool known(const KernelState& kernel) const { return predictor_.sampled(kernel.launch->id); }

  std::optional<std::size_t> to_sample(const std::vector<KernelState>& kernels) const {
    bool others_run = false;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched()) continue;
      if (known(kernels[i]) || (!others_run && !any_known(kernels))) {
        others_run = true;
      } else if (!first) {
        first = i;
      }
    }
    return others_run ? first : std::nullopt;
  }
  bool any_known(const std::vector<KernelState>& kernels) const {
    for (const KernelState& kernel : kernels) {
      if (!kernel.all_dispatched() && known(kernel)) return true;
    }
    return false;
  }
  /// The kernel that the SM works for next: the known one that ends there first; else the first to arrive.
  std::optional<std::size_t> shortest(const std::vector<KernelState>& kernels, SmId sm) const {
    std::optional<std::size_t> best, oldest;
    Cycle least = kNever;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
      if (kernels[i].all_dispatched() || !kernels[i].sms.test(sm)) continue;
      if (!oldest) oldest = i;
      const auto remaining = predictor_.remaining(kernels[i].launch->id, sm);
      if (!remaining || *remaining >= least) continue;
      least = *remaining;
      best = i;
    }
    return best ? best : oldest;
  }

  KernelOrderSetup setup_;
  SlicingPredictor predictor_;
};

}  // namespace

std::unique_ptr<KernelOrder> make_srtf(const KernelOrderSetup& setup) { return std::make_unique<Srtf>(setup); }

}  // namespace gputlm
