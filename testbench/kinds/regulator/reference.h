/// What a regulator of rtl/ must do, cycle by cycle: the policy as a place asks it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/regulator/regulator.h"
#include "models/regulator/rtl_regulator.h"

namespace gputlm {

class RegulatorReference {
 public:
  /// Starts reset.
  RegulatorReference(const RegulatorSize& size, std::string policy) : size_(size), policy_(std::move(policy)) {
    reset({});
  }

  Bytes bytes(const RegulatorInputs& inputs, unsigned application) const {
    return inputs.head_bytes >> application * size_.length_bits & ((1u << size_.length_bits) - 1);
  }
  Bytes budget(const RegulatorInputs& inputs, unsigned application) const {
    const unsigned low = application * size_.token_bits;
    std::uint64_t both = inputs.budget[low / 32];
    if (low % 32 + size_.token_bits > 32) both |= std::uint64_t{inputs.budget[low / 32 + 1]} << 32;
    return both >> low % 32 & ((std::uint64_t{1} << size_.token_bits) - 1);
  }

  /// Whose request fits, of those that wait.
  std::uint32_t expect(const RegulatorInputs& inputs) const {
    std::uint32_t fits = 0;
    for (unsigned a = 0; a < size_.applications; ++a) {
      if ((inputs.head_valid >> a & 1) != 0 && regulator_->fits(a, bytes(inputs, a))) fits |= 1u << a;
    }
    return fits;
  }
  /// The rising edge, with what fits from before it. A reset takes the budgets from the inputs.
  void rise(const RegulatorInputs& inputs, std::uint32_t fits) {
    if (!inputs.rst_n) return reset(inputs);
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (inputs.pass >> a & 1) regulator_->passed(a, bytes(inputs, a));
    }
    if (inputs.begin != 0) regulator_->begin_period(inputs.begin, inputs.head_valid & ~fits);
  }
  const RegulatorSize& size() const { return size_; }

 private:
  void reset(const RegulatorInputs& inputs) {
    RegulatorSetup setup;
    for (unsigned a = 0; a < size_.applications; ++a) setup.budgets.push_back(budget(inputs, a));
    regulator_ = bandwidth_regulators().at(policy_).make(setup);
  }

  RegulatorSize size_;
  std::string policy_;
  std::unique_ptr<BandwidthRegulator> regulator_;
};

}  // namespace gputlm
