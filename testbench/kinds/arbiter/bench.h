/// Arbiters of rtl/ in lockstep with the C++ policies of the DRAM controller.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbench/kinds/arbiter/played.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class ArbiterDesign final : public Design {
 public:
  ArbiterDesign(const std::string& name, const std::string& policy, const ArbiterSize& size,
                MakeObserved<RtlArbiter> make);
  /// The same design, to be compared with these schedulers in place of its policy's.
  ArbiterDesign compared_with(SchedulerMaker make_schedulers) const;
  /// The same design, under what was recorded in place of random traffic.
  ArbiterDesign playing(ArbiterRecording recording) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  ArbiterSize size_;
  MakeObserved<RtlArbiter> make_;
  SchedulerMaker make_schedulers_;
  std::shared_ptr<const ArbiterRecording> recording_;  ///< null: random traffic
};

}  // namespace gputlm
