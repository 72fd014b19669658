#include "models/sm/warp_scheduler.h"
#include "models/bit_words.h"

#include <array>

namespace gputlm {
namespace {

class GuardedWarpScheduler final : public WarpScheduler {
 public:
  GuardedWarpScheduler(std::unique_ptr<WarpScheduler> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  unsigned pick(std::uint64_t candidates) const override {
    policy_->goes_on(goes_on_);
    const unsigned slot = seam_.call("pick()", [&] { return policy_->pick(candidates); });
    if (slot == kNoWarp || (slot < kNoWarp && (candidates >> slot & 1) != 0)) return slot;
    seam_.refuse("pick()", "slot " + std::to_string(slot),
                 "slots " + numbers_text(numbers_of(std::array<std::uint64_t, 1>{candidates})) +
                     ", whose warps can issue, or kNoWarp");
  }
  void issued(unsigned slot) override {
    policy_->goes_on(goes_on_);
    seam_.call("issued()", [&] { policy_->issued(slot); });
  }
  void assigned(unsigned slot, unsigned budget) override {
    seam_.call("assigned()", [&] { policy_->assigned(slot, budget); });
  }
  void released(unsigned slot) override {
    seam_.call("released()", [&] { policy_->released(slot); });
  }
  void blocked(unsigned slot) override {
    seam_.call("blocked()", [&] { policy_->blocked(slot); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<WarpScheduler> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<WarpScheduler> WarpScheduler::guarded(std::unique_ptr<WarpScheduler> policy, const PolicySeam& seam) {
  return std::make_unique<GuardedWarpScheduler>(std::move(policy), seam);
}

ObjectDecision<WarpScheduler, WarpSchedulerSetup>& warp_schedulers() {
  static ObjectDecision<WarpScheduler, WarpSchedulerSetup> all("warp order", 4, "sm.warp_scheduler");
  return all;
}

std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name, const WarpSchedulerSetup& setup) {
  return warp_schedulers().at(name).make(setup);
}

}  // namespace gputlm
