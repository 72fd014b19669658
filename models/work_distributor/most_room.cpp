#include "models/work_distributor/placement.h"

namespace gputlm {
namespace {

/// The SM that can hold the most further blocks of this kernel, evaluated anew for each block; ties go to the first
/// in the GPU's order (most-room, sections 1 and 4).
class MostRoom final : public Placement {
 public:
  explicit MostRoom(std::vector<SmId> order) : order_(std::move(order)) {}
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

std::unique_ptr<Placement> make_most_room(std::vector<SmId> order) {
  return std::make_unique<MostRoom>(std::move(order));
}

}  // namespace gputlm
