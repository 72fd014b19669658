// A plugin whose policy has the name of one that is there.
#include "models/work_distributor/in_turn.h"

namespace {

using namespace gputlm;

struct Another final : KernelOrder {
  void offers(const std::vector<KernelState>&, std::vector<Offer>&) const override {}
};

GPUTLM_REGISTER { kernel_orders().add<Another>({{"srtf"}, "Another one", "a test"}); }

}  // namespace
