#include "models/regulator/regulator.h"
#include "models/regulator/tokens.h"

namespace gputlm {
namespace {

/// Each application has only its own budget. Reference model of rtl/bandwidth_regulator.sv without Reclaim.
class Hard final : public BandwidthRegulator {
 public:
  explicit Hard(const RegulatorSetup& setup) : tokens_(setup.budgets) {}
  bool fits(unsigned number, Bytes bytes) const override { return tokens_.left(number) >= bytes; }
  void passed(unsigned number, Bytes bytes) override { tokens_.take(number, bytes); }
  void begin_period(std::uint64_t begins, std::uint64_t waiting) override { tokens_.begin_period(begins, waiting); }

 private:
  Tokens tokens_;
};

}  // namespace

GPUTLM_REGISTER {
  bandwidth_regulators().add<Hard>({{"hard", 1},
                                    "A request waits until the budget of its application suffices",
                                    "Yun et al., RTAS 2013: MemGuard, reservation without reclaim"});
}

}  // namespace gputlm
