/// RtlArbiter over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <utility>

#include "models/dram/rtl_arbiter.h"
#include "models/rtl_ports.h"

namespace gputlm {

/// `Module` is the class of fr_fcfs_arbiter or fr_rr_fcfs_arbiter, of some size.
template <class Module>
class VerilatedArbiter : public RtlArbiter {
 public:
  explicit VerilatedArbiter(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "arbiter") {}
  void settle(const ArbiterInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const ArbiterInputs& inputs) override { evaluate(inputs, 1); }
  ArbiterOutputs outputs() const override {
    return {module_.req_ready_o != 0, module_.grant_valid_o != 0, bits_of_port<2>(module_.grant_o), module_.grant_id_o,
            module_.grant_row_o,      module_.grant_app_o,        module_.grant_hit_o != 0};
  }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const ArbiterInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive(module_.req_valid_i, inputs.req_valid);
    drive(module_.req_bank_i, inputs.req_bank);
    drive(module_.req_row_i, inputs.req_row);
    drive(module_.req_app_i, inputs.req_app);
    drive(module_.req_id_i, inputs.req_id);
    drive(module_.row_valid_i, inputs.row_valid);
    drive(module_.row_open_i, inputs.row_open);
    drive(module_.row_bank_i, inputs.row_bank);
    drive(module_.row_row_i, inputs.row_row);
    drive(module_.ask_valid_i, inputs.ask_valid);
    drive(module_.ask_bank_i, inputs.ask_bank);
    drive(module_.hit_cap_i, inputs.hit_cap);
    drive(module_.grant_ready_i, inputs.grant_ready);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
