/// The expected behaviour of a flit arbiter of rtl/, cycle by cycle: the policy as an output of the crossbar calls it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "models/bit_words.h"
#include "models/noc/flit_arbiter.h"
#include "testbench/kinds/flit_arbiter/ports.h"

namespace gputlm {

class FlitArbiterReference {
 public:
  /// Starts in the reset state.
  FlitArbiterReference(const FlitArbiterSize& size, std::string policy) : size_(size), policy_(std::move(policy)) {
    reset({});
  }

  unsigned application(const FlitArbiterInputs& inputs, unsigned input) const {
    return inputs.head_app.at(input, bits_to_name(size_.applications));
  }
  unsigned flits(const FlitArbiterInputs& inputs, unsigned input) const {
    return inputs.head_flits.at(input, size_.length_bits);
  }
  unsigned age(const FlitArbiterInputs& inputs, unsigned input) const {
    return inputs.head_age.at(input, size_.age_bits);
  }
  unsigned weight(const FlitArbiterInputs& inputs, unsigned application) const {
    return inputs.weight.at(application, size_.weight_bits);
  }

  /// The input whose packet leaves.
  std::optional<unsigned> expect(const FlitArbiterInputs& inputs) const {
    if (inputs.head_valid == InputSet{}) return std::nullopt;
    return arbiter_->next({inputs.head_valid, heads(inputs).data(), kNow});
  }
  /// The rising edge, with `granted` from before it. A reset loads the weights from the inputs.
  void rise(const FlitArbiterInputs& inputs, std::optional<unsigned> granted) {
    if (!inputs.rst_n) return reset(inputs);
    if (!granted || !inputs.grant_ready) return;
    arbiter_->served(*granted, heads(inputs)[*granted]);
    last_ = *granted;
  }
  /// The input that was served last.
  unsigned last() const { return last_; }
  const FlitArbiterSize& size() const { return size_; }

 private:
  /// Reference time for ages.
  static constexpr Cycle kNow = 1u << FlitArbiterSize::Most::age_bits;

  using Heads = std::array<FlitHead, FlitArbiterSize::Most::inputs>;
  Heads heads(const FlitArbiterInputs& inputs) const {
    Heads all;
    for (unsigned i = 0; i < size_.inputs; ++i) {
      all[i] = {kNow - age(inputs, i), static_cast<std::uint16_t>(flits(inputs, i)),
                static_cast<std::uint8_t>(application(inputs, i))};
    }
    return all;
  }
  void reset(const FlitArbiterInputs& inputs) {
    FlitArbiterSetup setup{size_.inputs, {}};
    const std::string owner(options_owner(policy_));
    setup.options.at(owner + ".age_bits", 0u) = size_.age_bits;
    for (unsigned a = 0; a < size_.applications; ++a)
      setup.options.at(owner + ".weight_" + std::to_string(a), 0u) = weight(inputs, a);
    arbiter_ = flit_arbiters().at(policy_).make(setup);
  }

  FlitArbiterSize size_;
  std::string policy_;
  std::unique_ptr<FlitArbiter> arbiter_;
  unsigned last_ = 0;
};

}  // namespace gputlm
