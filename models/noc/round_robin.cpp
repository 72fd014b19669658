#include "models/noc/flit_arbiter.h"

namespace gputlm {
namespace {

/// Inputs take turns, packet by packet: the built-in round robin of an output, as a policy.
///
/// Reference model of rtl/round_robin_flit_arbiter.sv.
class InputsInTurn final : public FlitArbiter {
 public:
  unsigned next(const FlitHeads& heads) const override { return turn_.next<false>(heads.inputs); }
  void served(unsigned input, const FlitHead&) override { turn_.served(input); }

 private:
  InputTurn turn_;
};

}  // namespace

GPUTLM_REGISTER {
  flit_arbiters().add<InputsInTurn>({{kRoundRobin, 1},
                                     "Inputs with a packet take turns",
                                     "Dally and Towles, Principles and Practices of Interconnection Networks, 18.3"});
}

}  // namespace gputlm
