#include "models/work_distributor/placement.h"

namespace gputlm {
namespace {

/// The SM that can hold the most further blocks of this kernel, evaluated again for each block; ties go to the first
/// in the GPU's order (most-room, sections 1 and 4).
class MostRoom final : public Placement {
 public:
  explicit MostRoom(const PlacementSetup& setup) : order_(setup.order), sm_(setup.sm) {}
  std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                             const SmSet& allowed) const override {
    std::optional<SmId> best;
    const unsigned most = room(demand, sm_);
    Resources for_more = needed(demand, 1);  // one block more than the best SM so far has room for
    for (const SmId sm : order_) {
      if (!allowed[sm] || !covers(free[sm], for_more)) continue;
      best = sm;
      const unsigned blocks = room(demand, free[sm]);
      if (blocks == most) break;
      for_more = needed(demand, blocks + 1);
    }
    return best;
  }
  void placed(SmId) override {}
  void idle() override {}

 private:
  std::vector<SmId> order_;
  Resources sm_;
};

}  // namespace

GPUTLM_REGISTER {
  placements().add<MostRoom>({{"most_room", 2},
                              "The SM that can hold the most further blocks of this kernel",
                              "most-room, sections 1 and 4; cuda-hierarchy, Equations 2 to 4",
                              {Property::kRepeats}});
}

}  // namespace gputlm
