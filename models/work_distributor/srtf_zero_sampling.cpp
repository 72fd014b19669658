#include "models/work_distributor/oracle.h"
#include "models/work_distributor/shortest_first.h"

namespace gputlm {
namespace {

/// Shortest remaining time first without sampling (srtf, section 6.2.2: "we provided the runtimes to the SRTF scheduler
/// directly"). The remaining time of a kernel on an SM is its alone_cycles, times the part of the blocks expected there
/// (Total_Blocks, an even share of the grid) that have not ended. Unlike with sjf, a kernel that has begun hands an SM
/// over, at block boundaries, to a kernel with less time left.
class SrtfZeroSampling final : public KernelOrder {
 public:
  struct Counters {
    std::uint64_t hand_overs = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::hand_overs, "hand_overs", "blocks", "Blocks sent to an SM after a block of another launch");
    }
  };

  explicit SrtfZeroSampling(const KernelOrderSetup& setup)
      : gpu_(setup), predictor_(*setup.predictor), owners_(setup.sms) {}

  void launched(const KernelState& kernel, Cycle) override { alone_cycles(kernel); }
  void block_sent(const KernelState& kernel, SmId sm, Cycle) override {
    counters_.hand_overs += owners_.hands_over(kernel.launch->identity.kernel, sm);
  }

  void block_ended(const KernelState&, const BlockLaunch& block, Cycle) override {
    shortest_.block_ended(block.identity.sm);
  }

  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    shortest_.offer(
        kernels, gpu_.sms, gpu_.gpcs, predictor_.epoch(),
        [&](const KernelState& kernel, SmId sm) { return std::optional(remaining(kernel, sm)); }, offers);
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  Cycle remaining(const KernelState& kernel, SmId sm) const {
    const SliceState& state = predictor_.state(kernel.launch->identity.kernel, sm);
    if (state.done_blocks >= state.total_blocks) return 0;
    // cycles * left / total, without the overflow of the product.
    const std::uint64_t left = state.total_blocks - state.done_blocks, total = state.total_blocks;
    const Cycle cycles = alone_cycles(kernel);
    return cycles / total * left + cycles % total * left / total;
  }

  SampledGpu gpu_;
  const SlicingPredictor& predictor_;
  SmOwners owners_;
  mutable ShortestFirst shortest_;
  Counters counters_;
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<SrtfZeroSampling>(
      {{"srtf_zero_sampling", 6},
       "As srtf, but the remaining time of a kernel is derived from its alone_cycles (oracle)",
       "srtf, section 6.2.2",
       {Property::kNeedsAloneCycles, Property::kNeedsPredictor}});
}

}  // namespace gputlm
