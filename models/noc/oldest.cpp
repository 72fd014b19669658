#include "models/bit_words.h"
#include "models/noc/age_option.h"

namespace gputlm {
namespace {

/// The packet whose access was issued first leaves; for equal ages, inputs take turns. So a packet that has waited
/// elsewhere waits less here, and distant inputs are not at a disadvantage (Abts and Weisser, "Age-based packet arbitration
/// in large-radix k-ary n-cubes", SC 2007).
///
/// Reference model of rtl/oldest_flit_arbiter.sv.
class OldestFirst final : public FlitArbiter {
 public:
  using Options = AgeOption;

  explicit OldestFirst(const Options& options) : options_(options) {}

  unsigned next(const FlitHeads& heads) const override {
    unsigned most = 0;
    InputSet oldest{};
    heads.for_each([&](unsigned input, const FlitHead& head) {
      const unsigned age = options_.age(head, heads.now);
      if (age > most) oldest = {};
      if (age < most) return;
      most = age;
      set_bit(oldest, input);
    });
    return turn_.next<false>(oldest);
  }
  void served(unsigned input, const FlitHead&) override { turn_.served(input); }

 private:
  Options options_;
  InputTurn turn_;
};

}  // namespace

GPUTLM_REGISTER {
  flit_arbiters().add<OldestFirst>({{"oldest", 2},
                                    "The packet that has been in flight the longest; inputs in turn among equals",
                                    "Abts and Weisser, SC 2007"});
}

}  // namespace gputlm
