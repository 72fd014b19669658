#include "models/bit_words.h"
#include "models/noc/application_weights.h"

namespace gputlm {
namespace {

/// Applications take turns, each with as many flits as its weight: weighted round robin (Katevenis, Sidiropoulos and
/// Courcoubetis, IEEE JSAC 1991), without carrying over the excess of a turn's last packet. An application
/// without a packet gives up the rest of its turn, so the link never idles while a packet waits. Each application has a
/// separate round robin over the inputs with its packets: with a common one, another application served in between could
/// always reset it to the same input.
///
/// Reference model of rtl/weighted_flit_arbiter.sv.
class ByWeight final : public FlitArbiter {
 public:
  using Options = ApplicationWeights;

  explicit ByWeight(const Options& options) : weights_(options.by_application()) {}

  unsigned next(const FlitHeads& heads) const override {
    std::array<InputSet, kArbitratedApplications> of{};
    unsigned present = 0;
    heads.for_each([&](unsigned input, const FlitHead& head) {
      set_bit(of[head.application], input);
      present |= 1u << head.application;
    });
    const unsigned application = turn_of(present);
    return inputs_[application].next<false>(of[application]);
  }
  void served(unsigned input, const FlitHead& head) override {
    const bool goes_on = !over_ && head.application == application_;
    had_ = (goes_on ? had_ : 0) + head.flits;
    application_ = head.application;
    over_ = had_ >= weights_[application_];
    inputs_[application_].served(input);
  }

 private:
  /// The application whose turn it is, of the set of applications `present`.
  unsigned turn_of(unsigned present) const {
    if (!over_ && (present >> application_ & 1) != 0) return application_;
    const unsigned behind = present & ~0u << application_ << 1;
    return static_cast<unsigned>(__builtin_ctz(behind != 0 ? behind : present));
  }

  std::array<unsigned, kArbitratedApplications> weights_;
  std::array<InputTurn, kArbitratedApplications> inputs_;
  unsigned application_ = kArbitratedApplications - 1;  ///< application served last; application 0 is first
  unsigned had_ = 0;                                    ///< flits that it has sent in its turn
  bool over_ = true;                                    ///< whether its turn is over
};

}  // namespace

GPUTLM_REGISTER {
  flit_arbiters().add<ByWeight>({{"weighted", 3},
                                 "Applications take turns of as many flits as their weights",
                                 "Katevenis et al., IEEE JSAC 9(8), 1991"});
}

}  // namespace gputlm
