/// RtlAdmission over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <utility>

#include "models/dram/rtl_admission.h"
#include "models/rtl_ports.h"

namespace gputlm {

/// `Module` is the class of reserved_admission, of some size.
template <class Module>
class VerilatedAdmission final : public RtlAdmission {
 public:
  explicit VerilatedAdmission(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "admission") {}
  void settle(const AdmissionInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const AdmissionInputs& inputs) override { evaluate(inputs, 1); }
  AdmissionOutputs outputs() const override {
    return {module_.admit_valid_o != 0, module_.admit_o, module_.admit_app_o};
  }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const AdmissionInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive(module_.reserved_i, inputs.reserved);
    drive(module_.shared_i, inputs.shared);
    drive(module_.head_valid_i, inputs.head_valid);
    drive(module_.head_length_i, inputs.head_length);
    drive(module_.admit_ready_i, inputs.admit_ready);
    drive(module_.leave_valid_i, inputs.leave_valid);
    drive(module_.leave_app_i, inputs.leave_app);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
