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

std::unique_ptr<KernelOrder> make_leftover(const KernelOrderSetup&) { return std::make_unique<Leftover>(); }

}  // namespace gputlm
