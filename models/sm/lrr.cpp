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

GPUTLM_REGISTER {
  warp_schedulers().add<LooseRoundRobin>(
      {{"lrr", 1}, "Loose round-robin: the ready warp after the last one that issued", "srtf, table 4; qaws"});
}

}  // namespace gputlm
