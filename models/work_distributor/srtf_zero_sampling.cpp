#include "models/work_distributor/oracle.h"
#include "models/work_distributor/shortest_first.h"

namespace gputlm {
namespace {

/// Shortest remaining time first without sampling (srtf, section 6.2.2: "we provided the runtimes to the SRTF scheduler
/// directly"). What is left of a kernel on an SM is its alone_cycles, for the share of the blocks expected there
/// (Total_Blocks, an even share of the grid) that have not ended. What differs from sjf: a kernel that has begun hands
/// an SM over, at block boundaries, to one that has less left.
class SrtfZeroSampling final : public KernelOrder {
 public:
  explicit SrtfZeroSampling(const KernelOrderSetup& setup) : sms_(all_sms(setup.sms)), predictor_(setup.predictor) {}

  void launched(const KernelState& kernel, Cycle) override { alone_cycles(kernel); }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    offer_shortest(
        kernels, sms_, [&](const KernelState& kernel, SmId sm) { return std::optional(remaining(kernel, sm)); },
        offers);
  }

 private:
  Cycle remaining(const KernelState& kernel, SmId sm) const {
    const SliceState& state = predictor_.state(kernel.launch->identity.kernel, sm);
    if (state.done_blocks >= state.total_blocks) return 0;
    // cycles * left / total, without the overflow of the product.
    const std::uint64_t left = state.total_blocks - state.done_blocks, total = state.total_blocks;
    const Cycle cycles = alone_cycles(kernel);
    return cycles / total * left + cycles % total * left / total;
  }

  SmSet sms_;
  const SlicingPredictor& predictor_;
};

}  // namespace

std::unique_ptr<KernelOrder> make_srtf_zero_sampling(const KernelOrderSetup& setup) {
  return std::make_unique<SrtfZeroSampling>(setup);
}

}  // namespace gputlm
