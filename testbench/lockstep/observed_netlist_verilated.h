/// The module around a source and its netlist as built by Verilator (observed_netlist.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "testbench/lockstep/observed_netlist.h"
#include "testbench/ports/values.h"
#include "verilated.h"

namespace gputlm {

template <class Ports, class Module>
class VerilatedNetlist {
 public:
  enum Unknown { kZeros, kOnes, kRandom };  ///< value of x, numbered as in VerilatedContext::randReset()

  explicit VerilatedNetlist(Unknown unknown) : context_(std::make_unique<VerilatedContext>()) {
    context_->randReset(unknown);
    module_ = std::make_unique<Module>(context_.get(), "both");
  }
  void settle(const std::vector<PortWords>& inputs) { evaluate(inputs, 0); }
  void rise(const std::vector<PortWords>& inputs) { evaluate(inputs, 1); }
  const PortWords& source() const { return source_; }
  const PortWords& netlist() const { return netlist_; }

 private:
  void evaluate(const std::vector<PortWords>& inputs, std::uint32_t clock) {
    drive(module_->clk_i, clock);
    Ports::show(*module_, inputs);
    module_->eval();
    source_ = words_of(module_->source_o);
    netlist_ = words_of(module_->netlist_o);
  }

  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Module> module_;
  PortWords source_, netlist_;
};

template <class Ports, class Module>
bool play_netlist(const NetlistInputs& inputs, NetlistDifference& found) {
  using Netlist = VerilatedNetlist<Ports, Module>;
  std::vector<Netlist> runs;
  for (const auto unknown : {Netlist::kZeros, Netlist::kOnes, Netlist::kRandom}) runs.emplace_back(unknown);
  return differs(runs, inputs, found);
}

}  // namespace gputlm
