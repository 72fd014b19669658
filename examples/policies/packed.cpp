#include "models/work_distributor/placement.h"

namespace {

using namespace gputlm;

/// The SM with the least room on which the block fits, so that others stay empty; ties go to the first in the GPU's order.
class Packed final : public Placement {
 public:
  explicit Packed(const PlacementSetup& setup) : order_(setup.order) {}
  std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                             const SmSet& allowed) const override {
    std::optional<SmId> best;
    unsigned least = 0;
    for (const SmId sm : order_) {
      if (!allowed[sm]) continue;
      const unsigned here = room(demand, free[sm]);
      if (here == 0 || (best && here >= least)) continue;
      least = here;
      best = sm;
    }
    return best;
  }
  void placed(SmId) override {}
  void idle() override {}

 private:
  std::vector<SmId> order_;
};

GPUTLM_REGISTER {
  placements().add<Packed>({{"packed"}, "The SM with the least room that still holds the block", "an example"});
}

}  // namespace
