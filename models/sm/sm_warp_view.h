/// WarpView of a sub-core of an SmCore.
#pragma once

#include "models/sm/sm_core.h"
#include "models/sm/warp_view.h"

namespace gputlm {

class SmCore::SubCoreView final : public WarpView {
 public:
  SubCoreView(SmCore& sm, unsigned sub_core) : sm_(sm), sub_(sm.sub_cores_[sub_core]), first_(sub_core * sm.slots_) {}
  unsigned outstanding_loads(unsigned slot) const override { return sm_.load_store_.outstanding_loads(first_ + slot); }
  const Instruction& next_instruction(unsigned slot) const override { return *sub_.warps[slot].next; }
  Stall waits_for(unsigned slot) const override;
  std::uint64_t age(unsigned slot) const override;
  Identity identity(unsigned slot) const override;

 private:
  SmCore& sm_;
  const SubCore& sub_;
  unsigned first_;  ///< number of the sub-core's first slot among those of the SM
};

}  // namespace gputlm
