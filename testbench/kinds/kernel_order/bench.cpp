#include "testbench/kinds/kernel_order/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "testbench/kinds/kernel_order/coverage.h"
#include "testbench/kinds/kernel_order/played.h"
#include "testbench/kinds/kernel_order/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

template <class Traffic>
class KernelOrderBench final : public Bench {
 public:
  KernelOrderBench(const KernelOrderSize& size, const std::string& policy,
                   std::unique_ptr<ObservedDevice<RtlKernelOrder>> design, Traffic traffic)
      : design_(std::move(design)), reference_(size, policy), traffic_(std::move(traffic)), coverage_(size) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_, expected_);
    expected_ = reference_.expect(inputs_);
    sends_ = inputs_.rst_n && traffic_.sends(expected_);
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override {
    if (!inputs_.rst_n) return true;
    return found_.grant_valid == expected_.has_value() && found_.grant == one_bit<kKernelWords>(expected_) &&
           found_.grant_kernel == expected_.value_or(0);
  }
  std::string describe() const override {
    std::string text = granted_text("kernel", expected_, numbers_of(found_.grant));
    text += fmt::format("  outputs: grant_valid_o {:d}, grant_kernel_o {}\n", found_.grant_valid, found_.grant_kernel);
    text += fmt::format("  inputs: reset {}, event {} (enter {}, kernel {}, level {})\n  in flight, the first first:\n",
                        !inputs_.rst_n, inputs_.event_valid, inputs_.event_enter, inputs_.event_kernel,
                        inputs_.event_level);
    for (const auto& kernel : reference_.kernels()) {
      text += fmt::format("    kernel {:<2} level {}{}\n", kernel.number, kernel.level,
                          has_bit(inputs_.pending, kernel.number) ? ", has blocks left" : "");
    }
    return text;
  }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_);
    traffic_.done();
    return sends_;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlKernelOrder>> design_;
  KernelOrderReference reference_;
  Traffic traffic_;
  KernelOrderCoverage coverage_;
  KernelOrderInputs inputs_;
  std::optional<unsigned> expected_;
  bool sends_ = false;  ///< a block of it
  KernelOrderOutputs found_;
};

}  // namespace

KernelOrderSize kernel_order_size(const RtlParameters& size) { return {size.at("Kernels"), size.at("LevelW")}; }

Design kernel_order_design(const BuiltDesign& built, const std::string& policy,
                           std::shared_ptr<const std::vector<KernelOrderEvent>> recording) {
  const KernelOrderSize size = kernel_order_size(built.size);
  return {built.name, policy, names_of(kernel_order_knobs(size)),
          [=, make = made_by<RtlKernelOrder>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<KernelOrderBench<decltype(traffic)>>(size, policy, make(seed),
                                                                           std::move(traffic));
            };
            if (recording) return bench(PlayedKernelOrder(size, *recording));
            return bench(KernelOrderTraffic(size, seed, fixed));
          }};
}

}  // namespace gputlm
