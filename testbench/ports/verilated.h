/// A Device for a class that Verilator made. Only for files without SystemC: `verilated.h` must precede `<systemc>`, or be
/// absent.
#pragma once

#include <memory>
#include <utility>

#include "testbench/ports/device.h"
#include "testbench/ports/values.h"
#include "verilated.h"

namespace gputlm {

/// `Module` is the class of a design with these ports, in some size.
template <class Ports, class Module>
class Verilated final : public Device<Ports> {
 public:
  explicit Verilated(std::unique_ptr<VerilatedContext> context = std::make_unique<VerilatedContext>())
      : context_(std::move(context)), module_(context_.get(), "design") {}
  void settle(const typename Ports::Inputs& inputs) override { evaluate(inputs, 0); }
  void rise(const typename Ports::Inputs& inputs) override { evaluate(inputs, 1); }
  typename Ports::Outputs outputs() const override { return Ports::read(module_); }
  VerilatedContext& context() { return *context_; }
  const VerilatedContext& context() const { return *context_; }
  Module& module() { return module_; }

 private:
  void evaluate(const typename Ports::Inputs& inputs, unsigned clock) {
    drive(module_.clk_i, clock);
    Ports::drive(module_, inputs);
    module_.eval();
  }

  std::unique_ptr<VerilatedContext> context_;
  Module module_;
};

/// For HardwareModel::make.
template <class Ports, class Module>
std::unique_ptr<Device<Ports>> verilated() {
  return std::make_unique<Verilated<Ports, Module>>();
}

}  // namespace gputlm
