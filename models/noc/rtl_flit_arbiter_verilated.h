/// RtlFlitArbiter over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "models/noc/rtl_flit_arbiter.h"
#include "models/rtl_ports.h"

namespace gputlm {

/// `Module` is the class of a flit arbiter, of some size.
template <class Module>
class VerilatedFlitArbiter final : public RtlFlitArbiter {
 public:
  explicit VerilatedFlitArbiter(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "arbiter") {}
  void settle(const FlitArbiterInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const FlitArbiterInputs& inputs) override { evaluate(inputs, 1); }
  FlitArbiterOutputs outputs() const override {
    return {module_.grant_valid_o != 0, bits_of_port<std::tuple_size_v<InputBits>>(module_.grant_o),
            module_.grant_input_o};
  }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const FlitArbiterInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive_bits(module_.head_valid_i, inputs.head_valid);
    drive_words(module_.head_app_i, inputs.head_app.words());
    drive_words(module_.head_flits_i, inputs.head_flits.words());
    drive_words(module_.head_age_i, inputs.head_age.words());
    drive(module_.weight_i, inputs.weight);
    drive(module_.grant_ready_i, inputs.grant_ready);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
