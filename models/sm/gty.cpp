#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Greedy then youngest: the warp that issued last as long as it can, then the one that was assigned last. The order of GPUs
/// since Turing, by microbenchmarks of an RTX A6000: "compiler guided greedy then youngest" (Huerta et al., "Dissecting and
/// Modeling the Architecture of Modern GPU Cores", MICRO 2025, section 5.1.2). What the compiler guides there, when a warp can
/// issue, is the sub-core's affair here: dependences, pipes and branches decide who is a candidate.
class GreedyThenYoungest final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    if (greedy_ < kNoWarp && (candidates >> greedy_ & 1)) return greedy_;
    return ages_.youngest_of(candidates);
  }
  void issued(unsigned slot) override { greedy_ = slot; }
  void assigned(unsigned slot, unsigned) override { ages_.add(slot); }
  void released(unsigned slot) override {
    ages_.remove(slot);
    if (greedy_ == slot) greedy_ = kNoWarp;
  }

 private:
  WarpAges ages_;
  unsigned greedy_ = kNoWarp;
};

}  // namespace

GPUTLM_REGISTER {
  warp_schedulers().add<GreedyThenYoungest>({{"gty", 2},
                                             "Greedy then youngest: the same warp until it stalls, then the youngest",
                                             "Huerta et al., MICRO 2025, section 5.1.2 (CGGTY)"});
}

}  // namespace gputlm
