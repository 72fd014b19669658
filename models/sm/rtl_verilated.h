/// RtlSorter over a class that Verilator made. Only for files that know no SystemC: `verilated.h` comes before
/// `<systemc>` or not at all.
#pragma once

#include <memory>
#include <utility>

#include "models/rtl_ports.h"
#include "models/sm/rtl_sorter.h"

namespace gputlm {

/// `Module` is the class of qaws_sorter, gto_sorter or lrr_sorter, of some size.
template <class Module>
class VerilatedSorter : public RtlSorter {
 public:
  explicit VerilatedSorter(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "sorter") {}
  void settle(const SorterInputs& inputs) override { evaluate(inputs, 0); }
  void rise(const SorterInputs& inputs) override { evaluate(inputs, 1); }
  SorterGrant grant() const override { return {module_.grant_valid_o != 0, module_.grant_o, module_.grant_slot_o}; }
  SorterOrder order() const override { return {bits_of_port<5>(module_.order_o), module_.order_count_o}; }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const SorterInputs& inputs, std::uint32_t clock) {
    drive(module_.clk_i, clock);
    drive(module_.rst_ni, inputs.rst_n);
    drive(module_.event_valid_i, inputs.event_valid);
    drive(module_.event_assign_i, inputs.event_assign);
    drive(module_.event_slot_i, inputs.event_slot);
    drive(module_.event_group_i, inputs.event_group);
    drive(module_.budget_i, inputs.budget);
    drive(module_.ready_i, inputs.ready);
    drive(module_.issue_i, inputs.issue);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

}  // namespace gputlm
