#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Loose round-robin: the first candidate after the warp that issued last, in slot order (cuda-hierarchy, section IV).
class LooseRoundRobin final : public WarpScheduler {
 public:
  unsigned pick(std::uint64_t candidates) const override {
    const std::uint64_t after = candidates & after_last_;
    return static_cast<unsigned>(__builtin_ctzll(after ? after : candidates));
  }
  void issued(unsigned slot) override { after_last_ = ~std::uint64_t{1} << slot; }
  void assigned(unsigned, unsigned) override {}
  void released(unsigned) override {}

 private:
  std::uint64_t after_last_ = ~std::uint64_t{0};
};

}  // namespace

std::unique_ptr<WarpScheduler> make_loose_round_robin(const WarpSchedulerSetup&) {
  return std::make_unique<LooseRoundRobin>();
}

}  // namespace gputlm
