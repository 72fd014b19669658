/// Warp sorters of rtl/ in lockstep with the C++ policies of a sub-core.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbench/kinds/sorter/played.h"
#include "testbench/kinds/sorter/reference.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class SorterDesign final : public Design {
 public:
  SorterDesign(const std::string& name, const std::string& policy, const SorterSize& size,
               MakeObserved<RtlSorter> make);
  /// The same design, to be compared with this policy in place of its own.
  SorterDesign compared_with(WarpSchedulerMaker make_policy) const;
  /// The same design, under what was recorded in place of random traffic.
  SorterDesign playing(SorterRecording recording) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  SorterSize size_;
  MakeObserved<RtlSorter> make_;
  WarpSchedulerMaker make_policy_;
  std::shared_ptr<const SorterRecording> recording_;  ///< null: random traffic
};

}  // namespace gputlm
