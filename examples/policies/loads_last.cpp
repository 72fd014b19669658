#include "models/sm/warp_scheduler.h"

namespace {

using namespace gputlm;

/// The warp with the fewest outstanding loads, of several the oldest: who waits for most data goes last, and may find it
/// there when it comes to it.
class LoadsLast final : public WarpScheduler {
 public:
  struct Counters {
    std::uint64_t outstanding = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::outstanding, "outstanding", "loads",
                "that issuing warps waited for, summed over the issues");
    }
  };

  explicit LoadsLast(const WarpSchedulerSetup& setup) : warps_(warps_of(setup)) {}

  unsigned pick(std::uint64_t candidates) const override {
    unsigned best = kNoWarp, fewest = 0;
    std::uint64_t oldest = 0;
    for (std::uint64_t left = candidates; left != 0; left &= left - 1) {
      const auto slot = static_cast<unsigned>(__builtin_ctzll(left));
      const unsigned loads = warps_.outstanding_loads(slot);
      const std::uint64_t age = warps_.age(slot);
      if (best != kNoWarp && (loads > fewest || (loads == fewest && age > oldest))) continue;
      best = slot, fewest = loads, oldest = age;
    }
    return best;
  }
  void issued(unsigned slot) override { counters_.outstanding += warps_.outstanding_loads(slot); }
  void assigned(unsigned, unsigned) override {}
  void released(unsigned) override {}
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  const WarpView& warps_;
  Counters counters_;
};

GPUTLM_REGISTER {
  warp_schedulers().add<LoadsLast>(
      {{"loads_last"}, "The warp with the fewest outstanding loads, then the oldest", "an example"});
}

}  // namespace
