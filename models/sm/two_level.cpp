#include <bitset>

#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace gputlm {
namespace {

/// Two-level (qaws, section III, after Gebhart et al., ISCA 2011, and Narasiman et al., MICRO 2011): only the active warps,
/// at most Options::active_warps, may issue, in loose round-robin order. A warp with a long wait leaves them and goes to
/// the end of the pending warps. While there is room among the active warps, the first pending warps that can issue count
/// as active, and become active with their first issue.
class TwoLevel final : public WarpScheduler {
 public:
  struct Options {
    unsigned active_warps = 8;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::active_warps, "active_warps", "warps", 1, 64, "Warps of a sub-core that may issue",
               "Gebhart et al., ISCA 2011: eight");
    }
  };
  struct Counters {
    std::uint64_t promotions = 0, waits = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::promotions, "promotions", "warps", "Warps that became active by an issue");
      v.counter(&Counters::waits, "waits", "warps", "Active warps that made room because they waited for long");
    }
  };

  explicit TwoLevel(const Options& options) : most_(options.active_warps) {}

  unsigned pick(std::uint64_t candidates) const override {
    std::uint64_t eligible = candidates & active_;
    std::size_t room = most_ - std::bitset<64>(active_).count();
    if (candidates & ~active_) {
      for (auto slot = pending_.begin(); room > 0 && slot != pending_.end(); ++slot) {
        const std::uint64_t warp = std::uint64_t{1} << *slot;
        if (!(candidates & warp)) continue;
        eligible |= warp;
        --room;
      }
    }
    if (!eligible) return kNoWarp;
    const std::uint64_t after = eligible & after_last_;
    return static_cast<unsigned>(__builtin_ctzll(after ? after : eligible));
  }
  void issued(unsigned slot) override {
    after_last_ = ~std::uint64_t{1} << slot;
    const std::uint64_t warp = std::uint64_t{1} << slot;
    if (active_ & warp) return;
    pending_.remove(slot);
    active_ |= warp;
    ++counters_.promotions;
  }
  void assigned(unsigned slot, unsigned) override { pending_.add(slot); }
  void released(unsigned slot) override {
    const std::uint64_t warp = std::uint64_t{1} << slot;
    if (!(active_ & warp)) pending_.remove(slot);
    active_ &= ~warp;
  }
  void blocked(unsigned slot) override {
    const std::uint64_t warp = std::uint64_t{1} << slot;
    if (!(active_ & warp)) return;
    active_ &= ~warp;
    pending_.add(slot);
    ++counters_.waits;
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  std::size_t most_;
  std::uint64_t active_ = 0;
  std::uint64_t after_last_ = ~std::uint64_t{0};
  WarpAges pending_;  ///< in the order in which they became pending
  Counters counters_;
};

}  // namespace

GPUTLM_REGISTER {
  warp_schedulers().add<TwoLevel>({{"two_level", 3},
                                   "Loose round-robin over a few active warps; one that waits for long makes room",
                                   "qaws, section III"});
}

}  // namespace gputlm
