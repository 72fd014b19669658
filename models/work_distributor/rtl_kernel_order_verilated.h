/// RtlKernelOrder over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <utility>

#include "models/rtl_ports.h"
#include "models/work_distributor/rtl_kernel_order.h"

namespace gputlm {

/// `Module` is the class of a kernel order, of some size.
template <class Module>
class VerilatedKernelOrder final : public RtlKernelOrder {
 public:
  explicit VerilatedKernelOrder(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "order") {}
  void settle(const KernelOrderInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const KernelOrderInputs& inputs) override { evaluate(inputs, 1); }
  KernelOrderOutputs outputs() const override {
    return {module_.grant_valid_o != 0, bits_of_port<kKernelWords>(module_.grant_o), module_.grant_kernel_o};
  }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const KernelOrderInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive(module_.event_valid_i, inputs.event_valid);
    drive(module_.event_enter_i, inputs.event_enter);
    drive(module_.event_kernel_i, inputs.event_kernel);
    drive(module_.event_level_i, inputs.event_level);
    drive_bits(module_.pending_i, inputs.pending);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
