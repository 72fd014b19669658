#include "models/sm/warp_ages.h"
#include "models/sm/warp_scheduler.h"

namespace {

using namespace gputlm;

/// The oldest warp that can issue: gto without its greed.
class OldestFirst final : public WarpScheduler {
 public:
  struct Counters {
    std::uint64_t switches = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::switches, "switches", "issues", "Issues by another warp than the one before");
    }
  };

  unsigned pick(std::uint64_t candidates) const override { return ages_.oldest_of(candidates); }
  void issued(unsigned slot) override {
    counters_.switches += slot != last_;
    last_ = slot;
  }
  void assigned(unsigned slot, unsigned) override { ages_.add(slot); }
  void released(unsigned slot) override { ages_.remove(slot); }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  WarpAges ages_;
  unsigned last_ = kNoWarp;
  Counters counters_;
};

GPUTLM_REGISTER {
  warp_schedulers().add<OldestFirst>({{"oldest_first"}, "The oldest warp that can issue", "an example"});
}

}  // namespace
