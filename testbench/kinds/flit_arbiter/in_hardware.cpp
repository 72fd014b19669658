#include "testbench/kinds/flit_arbiter/in_hardware.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "models/bit_words.h"
#include "models/noc/age_option.h"
#include "models/noc/application_weights.h"
#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kFlitSeam = "noc.arbiter";
static_assert(std::is_same_v<InputBits, InputSet>);

/// The arbiter of an output in hardware. It sees the waiting packets at each decision, and a clock edge for each packet that
/// leaves.
class FlitArbiterInHardware final : public FlitArbiter {
 public:
  FlitArbiterInHardware(const HardwareModel<FlitArbiterPorts>& model, std::string policy,
                        const ApplicationWeights& weights, const AgeOption& ages)
      : size_(model.size), policy_(std::move(policy)), ages_(ages), design_(model.make()) {
    const auto by_application = weights.by_application();
    for (unsigned a = 0; a < size_.applications; ++a) {
      at_most("weight of an application", by_application[a], largest_of(size_.weight_bits), kFlitSeam, policy_);
      inputs_.weight.put(a, size_.weight_bits, by_application[a]);
    }
    inputs_.rst_n = false;
    design_->settle(inputs_);
    design_->rise(inputs_);
    inputs_.rst_n = true;
  }

  unsigned next(const FlitHeads& heads) const override {
    if (inputs_.grant_ready) clock();
    show(heads);
    design_->settle(inputs_);
    clock_is_low_ = true;
    const FlitArbiterOutputs granted = design_->outputs();
    if (!granted.grant_valid)
      throw InputError(policy_ + ": grant_valid_o is 0, but head_valid_i has packets that can leave");
    if (granted.grant_input >= size_.inputs || !has_bit(heads.inputs, granted.grant_input)) {
      throw InputError(policy_ + ": grant_input_o is " + std::to_string(granted.grant_input) +
                       ", an input without a packet for the output");
    }
    return granted.grant_input;
  }

  void served(unsigned input, const FlitHead&) override {
    // The design grants its last answer at the edge: nothing may have happened since.
    if (!clock_is_low_ || inputs_.grant_ready || design_->outputs().grant_input != input) {
      throw std::logic_error(policy_ + ": a packet left that was not the next one");
    }
    inputs_.grant_ready = true;
  }

 private:
  void show(const FlitHeads& heads) const {
    inputs_.head_valid = heads.inputs;
    heads.for_each([&](unsigned input, const FlitHead& head) {
      at_most("flits of a packet", head.flits, largest_of(size_.length_bits), kFlitSeam, policy_);
      at_most("application of a packet", head.application, size_.applications - 1, kFlitSeam, policy_);
      inputs_.head_app.put(input, bits_to_name(size_.applications), head.application);
      inputs_.head_flits.put(input, size_.length_bits, head.flits);
      inputs_.head_age.put(input, size_.age_bits, ages_.age(head, heads.now));
    });
  }
  void clock() const {
    design_->rise(inputs_);
    clock_is_low_ = false;
    inputs_.grant_ready = false;
  }

  FlitArbiterSize size_;
  std::string policy_;
  AgeOption ages_;
  std::unique_ptr<Device<FlitArbiterPorts>> design_;
  // A decision brings the hardware up to date with reported events, which does not count as a change.
  mutable FlitArbiterInputs inputs_;  ///< inputs of the next cycle
  mutable bool clock_is_low_ = false;
};

}  // namespace

std::unique_ptr<FlitArbiter> FlitArbiterHardware::make(const HardwareModel<Ports>& model, const Setup& setup,
                                                       const PolicyInfo& info) {
  at_most("inputs of the crossbar", setup.inputs, model.size.inputs, kFlitSeam, info.name);
  const std::string_view owner = options_owner(info.name);
  const auto ages = read_options<AgeOption>(setup.options, owner);
  at_most("bits of an age", ages.age_bits, model.size.age_bits, kFlitSeam, info.name);
  return std::make_unique<FlitArbiterInHardware>(model, info.name,
                                                 read_options<ApplicationWeights>(setup.options, owner), ages);
}

RtlParameters FlitArbiterHardware::wanted(const Setup& setup) {
  using Most = FlitArbiterSize::Most;
  return {{"Inputs", std::max(2u, setup.inputs)},
          {"Apps", kArbitratedApplications},
          {"LengthW", Most::length_bits},
          {"AgeW", Most::age_bits},
          {"WeightW", 6}};
}

std::vector<PolicyInfo> FlitArbiterHardware::of_rtl() {
  return {of_rtl_module("round_robin", 4, "flit_arbiter",
                        "Dally and Towles, Principles and Practices of Interconnection Networks, 18.3"),
          of_rtl_module("oldest", 5, "flit_arbiter", "Abts and Weisser, SC 2007"),
          of_rtl_module("weighted", 6, "flit_arbiter", "Katevenis et al., IEEE JSAC 9(8), 1991")};
}

PolicyInfo FlitArbiterHardware::own() {
  PolicyInfo info;
  info.options = option_list<ApplicationWeights>();
  return info;
}

}  // namespace gputlm
