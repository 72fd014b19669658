#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Greedy, then by age: the warp that issued last as long as it can issue, then the warp assigned first, or last.
template <bool kOldest>
class GreedyByAge final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    if (greedy_ < kNoWarp && (candidates >> greedy_ & 1)) return greedy_;
    return kOldest ? ages_.oldest_of(candidates) : ages_.youngest_of(candidates);
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

// gty is the order of GPUs since Turing by microbenchmarks, "compiler guided greedy then youngest" (CGGTY); a100.yaml says
// why no preset has it. There, the compiler guides when a warp can issue; here, the sub-core decides that: dependences,
// pipes and branches determine the candidates.
GPUTLM_REGISTER {
  warp_schedulers().add<GreedyByAge<true>>(
      {{"gto", 2}, "Greedy then oldest: the same warp until it stalls, then the oldest", "fr-rr-fcfs, table 1; qaws"});
  warp_schedulers().add<GreedyByAge<false>>({{"gty", 2},
                                             "Greedy then youngest: the same warp until it stalls, then the youngest",
                                             "Huerta et al., MICRO 2025, section 5.1.2 (CGGTY)"});
}

}  // namespace gputlm
