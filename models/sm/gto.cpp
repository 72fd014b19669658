#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Greedy-then-oldest: the warp that issued last as long as it can, then the one that was assigned first.
class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    if (greedy_ < 64 && (candidates >> greedy_ & 1)) return greedy_;
    return ages_.oldest_of(candidates);
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
  warp_schedulers().add<GreedyThenOldest>(
      {{"gto", 2}, "Greedy then oldest: the same warp until it stalls, then the oldest", "fr-rr-fcfs, table 1; qaws"});
}

}  // namespace gputlm
