/// The flit arbiters of rtl/ in lockstep with the policies of the crossbar's outputs.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/noc/rtl_flit_arbiter.h"
#include "testbench/kinds/flit_arbiter/played.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class FlitArbiterDesign final : public Design {
 public:
  FlitArbiterDesign(const std::string& name, const std::string& policy, const FlitArbiterSize& size,
                    MakeObserved<RtlFlitArbiter> make)
      : Design(name, policy), size_(size), make_(std::move(make)) {}
  /// The same design, under what was recorded in place of random traffic.
  FlitArbiterDesign playing(FlitArbiterRecording recording) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  FlitArbiterSize size_;
  MakeObserved<RtlFlitArbiter> make_;
  std::shared_ptr<const FlitArbiterRecording> recording_;  ///< null: random traffic
};

}  // namespace gputlm
