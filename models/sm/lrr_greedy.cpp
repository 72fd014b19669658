#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Loose round-robin as described in qaws (section II-A): "the same warp is issued by the warp scheduler every cycle until
/// an instruction stalls, at which point the warp scheduler chooses the next warp in round robin order", that is, the next
/// candidate in slot order: a warp whose next instruction waits for its pipeline has stalled, so two that need the same
/// pipeline take turns. A warp assigned to the slot of one that has left is a different warp.
class GreedyRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    if (goes_on_ && candidates & same_) return last_;
    const std::uint64_t after = candidates & after_last_;
    return static_cast<unsigned>(__builtin_ctzll(after ? after : candidates));
  }
  void issued(unsigned slot) override {
    last_ = slot;
    same_ = std::uint64_t{1} << slot;
    after_last_ = ~std::uint64_t{1} << slot;
  }
  void assigned(unsigned, unsigned) override {}
  void released(unsigned slot) override { same_ &= ~(std::uint64_t{1} << slot); }

 private:
  unsigned last_ = 0;
  std::uint64_t same_ = 0;  ///< the warp that issued last, while it is there
  std::uint64_t after_last_ = ~std::uint64_t{0};
};

}  // namespace

GPUTLM_REGISTER {
  warp_schedulers().add<GreedyRoundRobin>(
      {{"lrr_greedy", 2}, "As lrr, but the same warp until it stalls", "qaws, section II-A and figure 3b"});
}

}  // namespace gputlm
