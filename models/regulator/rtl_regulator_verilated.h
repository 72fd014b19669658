/// RtlRegulator over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <utility>

#include "models/regulator/rtl_regulator.h"
#include "models/rtl_ports.h"

namespace gputlm {

/// `Module` is the class of a regulator, of some size.
template <class Module>
class VerilatedRegulator final : public RtlRegulator {
 public:
  explicit VerilatedRegulator(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "regulator") {}
  void settle(const RegulatorInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const RegulatorInputs& inputs) override { evaluate(inputs, 1); }
  RegulatorOutputs outputs() const override { return {module_.fits_o}; }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const RegulatorInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive_words(module_.budget_i, inputs.budget.data());
    drive(module_.begin_i, inputs.begin);
    drive(module_.head_valid_i, inputs.head_valid);
    drive(module_.head_bytes_i, inputs.head_bytes);
    drive(module_.pass_i, inputs.pass);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
