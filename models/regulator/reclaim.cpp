#include <algorithm>

#include "models/regulator/regulator.h"
#include "models/regulator/tokens.h"

namespace gputlm {
namespace {

/// Unused budget of a period is available to all in the next one, first come, first served. MemGuard predicts at the start of a
/// period what each application will use of its budget, and gives the rest to all (Yun et al., RTAS 2013, section IV-B);
/// here the prediction is its use in the previous period. As there, an application that was predicted wrongly keeps its
/// whole budget, so all together may exceed their budgets in a period by at most the error of prediction.
///
/// Reference model of rtl/bandwidth_regulator.sv with Reclaim.
class Reclaim final : public BandwidthRegulator {
 public:
  struct Counters {
    std::uint64_t reclaimed = 0;
    template <class Visitor>
    static constexpr void describe(Visitor& v) {
      using S = Counters;
      v.counter(&S::reclaimed, "reclaimed_bytes", "bytes",
                "Bytes of budget that applications took from what others had left");
    }
  };

  explicit Reclaim(const RegulatorSetup& setup) : tokens_(setup.budgets) {}
  bool fits(unsigned number, Bytes bytes) const override { return tokens_.left(number) + pool_ >= bytes; }
  void passed(unsigned number, Bytes bytes) override {
    const Bytes own = std::min(bytes, tokens_.left(number));
    tokens_.take(number, own);
    pool_ -= bytes - own;
    counters_.reclaimed += bytes - own;
  }
  void begin_period(std::uint64_t begins, std::uint64_t waiting) override {
    pool_ = tokens_.begin_period(begins, waiting);
  }
  void count(PolicyCounts& counts) const override { counts.add(counters_); }

 private:
  Tokens tokens_;
  Bytes pool_ = 0;
  Counters counters_;
};

}  // namespace

GPUTLM_REGISTER {
  bandwidth_regulators().add<Reclaim>({{"reclaim", 2},
                                       "As hard, but the unused budget of a period is available to all in the next one",
                                       "Yun et al., RTAS 2013: MemGuard, reclaim by what was used in the last period",
                                       {Property::kSharesBudgets}});
}

}  // namespace gputlm
