#include "models/work_distributor/shortest_first.h"

namespace gputlm {
namespace {

/// Shortest remaining time first (srtf, section 5.1.1), by the predictions of SlicingPredictor, SM by SM.
///
/// A kernel is unknown until one of its blocks has ended. While known kernels have blocks left, the first unknown kernel, in
/// order of arrival, is sampled: it gets the first of its SMs for itself, and nothing else. On every other SM the known
/// kernel that will end there first gets the next block; running blocks are not interrupted, so an SM changes hands at block
/// boundaries. While no kernel is known, the one that came first gets these SMs. Everything follows from the current
/// predictions: an SM switches back when they change.
///
/// The comparison is of the remaining time: Pred_Cycles less Active_Kernel_Cycles. By equation 2 this is (Total_Blocks -
/// Done_Blocks) * t / Resident_Blocks, independent of the time that has passed: feeding Active_Kernel_Cycles back keeps the
/// total true, but cannot change the remaining time, which falls from block to block as long as t stays. So what "refines B's
/// prediction" and makes the SMs "switch back" if "B's later thread blocks do more work" can only be a new t, and Algorithm 1
/// has two:
/// - On every SM but the sampled one B begins with a copied prediction, while Reslice is still true there since
///   ONLAUNCH. The first block of B that ends there replaces the copy. If it took longer than the sample, the rest
///   of B grows there and may exceed the rest of A; that SM goes back to A at its next block boundary. The sampled
///   SM keeps the t of the sample.
/// - When a kernel is launched or ends, all take a new t on all SMs.
class Srtf final : public KernelOrder {
 public:
  struct Counters {
    std::uint64_t samples = 0, hand_overs = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::samples, "samples", "launches", "Launches that were given an SM for sampling");
      v.counter(&Counters::hand_overs, "hand_overs", "blocks", "Blocks sent to an SM after a block of another launch");
    }
  };

  explicit Srtf(const KernelOrderSetup& setup) : gpu_(setup), predictor_(*setup.predictor), owners_(setup.sms) {}

  void block_sent(const KernelState& kernel, SmId sm, Cycle) override {
    counters_.hand_overs += owners_.hands_over(kernel.launch->identity.kernel, sm);
  }
  void block_ended(const KernelState&, const BlockLaunch& block, Cycle) override {
    shortest_.block_ended(block.identity.sm);
  }
  void reconsider(const std::vector<KernelState>& kernels, Cycle) override {
    counters_.samples += sampling_.begins(kernels, predictor_);
  }
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    const SmSet left = offer_sample(kernels, predictor_, gpu_, offers);
    const auto remaining = [&](const KernelState& k, SmId sm) {
      return predictor_.remaining(k.launch->identity.kernel, sm);
    };
    shortest_.offer(kernels, left, gpu_.gpcs, predictor_.epoch(), remaining, offers);
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  SampledGpu gpu_;
  const SlicingPredictor& predictor_;
  SmOwners owners_;
  Sampling sampling_;
  mutable ShortestFirst shortest_;
  Counters counters_;
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<Srtf>(
      {{"srtf", 4},
       "Shortest remaining time first on each SM, by predictions; newcomers are sampled on one SM",
       "srtf, section 5.1.1",
       {Property::kNeedsPredictor}});
}

}  // namespace gputlm
