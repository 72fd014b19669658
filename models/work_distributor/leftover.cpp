#include "models/work_distributor/in_turn.h"

namespace gputlm {
namespace {

/// Leftover, also called first in, first out: kernels take turns in order of arrival (most-room, section 6; srtf,
/// section 5.2.1).
class Leftover final : public KernelOrder {
 public:
  void offers(const std::vector<KernelState>& kernels, std::vector<Offer>& offers) const override {
    InTurn turns(kernels, offers);
    for (std::size_t i = 0; i < kernels.size() && turns.offer(i);) ++i;
  }
};

}  // namespace

GPUTLM_REGISTER {
  kernel_orders().add<Leftover>({{"leftover", 1},
                                 "First launched first, on each SM: the next when all blocks of the head are placed",
                                 "most-room, section 6; cuda-hierarchy, section III"});
  kernel_orders().add<Leftover>(
      {{"fifo", 2}, "The same as leftover, by the name that srtf has for it", "srtf, section 5.2.1"});
}

}  // namespace gputlm
