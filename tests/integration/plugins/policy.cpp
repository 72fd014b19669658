// A plugin: a warp order with an option and a counter.
#include "models/sm/warp_scheduler.h"

namespace {

using namespace gputlm;

/// The candidate `stride` slots after the last issuer, or the first one after that.
class Striding final : public WarpScheduler {
 public:
  struct Options {
    unsigned stride = 3;
    template <class Visitor>
    static void describe(Visitor& v) {
      v.number(&Options::stride, "stride", "slots", 1, 63, "From one issuer to the next", "a test");
    }
  };
  struct Counters {
    std::uint64_t issues = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      v.counter(&Counters::issues, "issues", "warp instructions", "Warp instructions issued");
    }
  };

  explicit Striding(const Options& options) : options_(options) {}
  unsigned pick(std::uint64_t candidates) const override {
    const std::uint64_t after = candidates & ~std::uint64_t{0} << (last_ + options_.stride) % 64;
    return static_cast<unsigned>(__builtin_ctzll(after ? after : candidates));
  }
  void issued(unsigned slot) override {
    last_ = slot;
    ++counters_.issues;
  }
  void assigned(unsigned, unsigned) override {}
  void released(unsigned) override {}
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  Options options_;
  Counters counters_;
  unsigned last_ = 0;
};

GPUTLM_REGISTER {
  warp_schedulers().add<Striding>({{"striding"}, "Strides over the slots", "a test", {Property::kHeedsBudgets}});
}

}  // namespace
