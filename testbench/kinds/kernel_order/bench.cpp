#include "testbench/kinds/kernel_order/bench.h"

#include <fmt/format.h>

#include "testbench/kinds/kernel_order/coverage.h"
#include "testbench/kinds/kernel_order/traffic.h"

namespace gputlm {
namespace {

class KernelOrderBench final : public Bench {
 public:
  KernelOrderBench(const KernelOrderSize& size, const std::string& policy,
                   std::unique_ptr<ObservedDevice<RtlKernelOrder>> design, const KernelOrderTraffic& traffic)
      : design_(std::move(design)), reference_(size, policy), traffic_(traffic), coverage_(size) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_, expected_);
    expected_ = reference_.expect(inputs_);
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override {
    if (!inputs_.rst_n) return true;
    return found_.grant_valid == expected_.has_value() &&
           found_.grant == (expected_ ? std::uint64_t{1} << *expected_ : 0) &&
           found_.grant_kernel == expected_.value_or(0);
  }
  std::string describe() const override {
    std::string text = fmt::format("  expected {}, found {} (grant_o {:#x}, grant_kernel_o {})\n",
                                   expected_ ? fmt::format("kernel {}", *expected_) : "none", found_.grant_valid,
                                   found_.grant, found_.grant_kernel);
    text += fmt::format("  inputs: reset {}, event {} (enter {}, kernel {}, level {})\n  in flight, the first first:\n",
                        !inputs_.rst_n, inputs_.event_valid, inputs_.event_enter, inputs_.event_kernel,
                        inputs_.event_level);
    for (const auto& kernel : reference_.kernels()) {
      text += fmt::format("    kernel {:<2} level {}{}\n", kernel.number, kernel.level,
                          (inputs_.pending >> kernel.number & 1) != 0 ? ", has blocks left" : "");
    }
    return text;
  }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_);
    return inputs_.rst_n && expected_;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return false; }
  std::uint64_t cycles() const override { return 1; }
  Played played() const override { return {}; }

 private:
  std::unique_ptr<ObservedDevice<RtlKernelOrder>> design_;
  KernelOrderReference reference_;
  KernelOrderTraffic traffic_;
  KernelOrderCoverage coverage_;
  KernelOrderInputs inputs_;
  std::optional<unsigned> expected_;
  KernelOrderOutputs found_;
};

}  // namespace

std::vector<Knob> KernelOrderDesign::knobs() const { return names_of(kernel_order_knobs(size_)); }

std::unique_ptr<Bench> KernelOrderDesign::make_bench(std::uint64_t seed, const FixedKnobs& fixed) const {
  return std::make_unique<KernelOrderBench>(size_, policy(), make_(seed), KernelOrderTraffic(size_, seed, fixed));
}

}  // namespace gputlm
