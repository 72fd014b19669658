#include "models/work_distributor/placement.h"

namespace gputlm {
namespace {

/// The SM that can hold the most further blocks of this kernel, evaluated again for each block; ties go to the first
/// in the GPU's order (most-room, sections 1 and 4).
class MostRoom final : public Placement {
 public:
  explicit MostRoom(const PlacementSetup& setup) : order_(setup.order) {}
  std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                             const SmSet& allowed) const override {
    std::optional<SmId> best;
    unsigned most = 0;
    for (const SmId sm : order_) {
      if (!allowed[sm]) continue;
      const unsigned here = room(demand, free[sm]);
      if (here > most) {
        most = here;
        best = sm;
      }
    }
    return best;
  }
  void placed(SmId) override {}
  void idle() override {}

 private:
  std::vector<SmId> order_;
};

}  // namespace

GPUTLM_REGISTER {
  placements().add<MostRoom>({{"most_room", 2},
                              "The SM that can hold the most further blocks of this kernel",
                              "most-room, sections 1 and 4; cuda-hierarchy, Equations 2 to 4",
                              {Property::kRepeats}});
}

}  // namespace gputlm
