#include "models/work_distributor/placement.h"

namespace gputlm {
namespace {

/// The next SM in the GPU's order, after the one that got the last block, on which the block fits. Begins again with
/// the first SM when the GPU was idle. This is what most literature assumes (most-room, section 1).
class RoundRobin final : public Placement {
 public:
  explicit RoundRobin(const PlacementSetup& setup) : order_(setup.order) {}
  std::optional<SmId> choose(const BlockDemand& demand, const std::vector<Resources>& free,
                             const SmSet& allowed) const override {
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const SmId sm = order_[(next_ + i) % order_.size()];
      if (allowed[sm] && fits(demand, free[sm])) return sm;
    }
    return std::nullopt;
  }
  void placed(SmId sm) override {
    while (order_[next_] != sm) next_ = (next_ + 1) % order_.size();
    next_ = (next_ + 1) % order_.size();
  }
  void idle() override { next_ = 0; }

 private:
  std::vector<SmId> order_;
  std::size_t next_ = 0;  ///< place in the order where the search begins
};

}  // namespace

GPUTLM_REGISTER {
  placements().add<RoundRobin>(
      {{"round_robin", 1}, "The next SM in turn that has room", "GPGPU-Sim", {Property::kRepeats}});
}

}  // namespace gputlm
