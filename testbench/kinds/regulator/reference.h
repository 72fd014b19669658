/// The expected behaviour of a regulator of rtl/, cycle by cycle: the policy as its user in the model calls it.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/regulator/regulator.h"
#include "testbench/kinds/regulator/ports.h"

namespace gputlm {

class RegulatorReference {
 public:
  /// Starts in the reset state.
  RegulatorReference(const RegulatorSize& size, std::string policy) : size_(size), policy_(std::move(policy)) {
    reset({});
  }

  Bytes bytes(const RegulatorInputs& inputs, unsigned application) const {
    return inputs.head_bytes.at(application, size_.length_bits);
  }
  Bytes budget(const RegulatorInputs& inputs, unsigned application) const {
    return inputs.budget.at(application, size_.token_bits);
  }

  /// The waiting applications whose request fits.
  std::uint32_t expect(const RegulatorInputs& inputs) const {
    std::uint32_t fits = 0;
    for (unsigned a = 0; a < size_.applications; ++a) {
      if ((inputs.head_valid >> a & 1) != 0 && regulator_->fits(a, bytes(inputs, a))) fits |= 1u << a;
    }
    return fits;
  }
  /// The rising edge, with `fits` from before it. A reset loads the budgets from the inputs.
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
