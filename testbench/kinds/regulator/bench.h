/// The regulators of memory budgets of rtl/ in lockstep with the policies.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/regulator/rtl_regulator.h"
#include "testbench/kinds/regulator/played.h"
#include "testbench/lockstep/bench.h"

namespace gputlm {

class RegulatorDesign final : public Design {
 public:
  RegulatorDesign(const std::string& name, const std::string& policy, const RegulatorSize& size,
                  MakeObserved<RtlRegulator> make)
      : Design(name, policy), size_(size), make_(std::move(make)) {}
  /// The same design, under what was recorded in place of random traffic.
  RegulatorDesign playing(RegulatorRecording recording) const;

  std::vector<Knob> knobs() const override;
  std::unique_ptr<Bench> make_bench(std::uint64_t seed, const FixedKnobs& fixed) const override;

 private:
  RegulatorSize size_;
  MakeObserved<RtlRegulator> make_;
  std::shared_ptr<const RegulatorRecording> recording_;  ///< null: random traffic
};

}  // namespace gputlm
