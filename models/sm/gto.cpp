#include <algorithm>
#include <array>

#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Greedy-then-oldest: the warp that issued last as long as it can, then the one that was assigned first.
class GreedyThenOldest final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    if (greedy_ < 64 && (candidates >> greedy_ & 1)) return greedy_;
    const auto oldest = std::find_if(by_age_.begin(), by_age_.begin() + warps_,
                                     [candidates](std::uint8_t slot) { return candidates >> slot & 1; });
    return *oldest;
  }
  void issued(unsigned slot) override { greedy_ = slot; }
  void assigned(unsigned slot, KernelId) override { by_age_[warps_++] = static_cast<std::uint8_t>(slot); }
  void released(unsigned slot) override {
    const auto end = by_age_.begin() + warps_;
    const auto place = std::find(by_age_.begin(), end, static_cast<std::uint8_t>(slot));
    std::copy(place + 1, end, place);
    --warps_;
    if (greedy_ == slot) greedy_ = 64;
  }

 private:
  std::array<std::uint8_t, 64> by_age_{};  ///< slots, oldest warp first
  std::ptrdiff_t warps_ = 0;
  unsigned greedy_ = 64;
};

}  // namespace

std::unique_ptr<WarpScheduler> make_greedy_then_oldest() { return std::make_unique<GreedyThenOldest>(); }

}  // namespace gputlm
