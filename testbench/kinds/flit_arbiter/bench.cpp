#include "testbench/kinds/flit_arbiter/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "testbench/kinds/flit_arbiter/coverage.h"
#include "testbench/kinds/flit_arbiter/played.h"
#include "testbench/kinds/flit_arbiter/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

template <class Traffic>
class FlitArbiterBench final : public Bench {
 public:
  FlitArbiterBench(const FlitArbiterSize& size, const std::string& policy,
                   std::unique_ptr<ObservedDevice<RtlFlitArbiter>> design, Traffic traffic)
      : design_(std::move(design)), reference_(size, policy), traffic_(std::move(traffic)), coverage_(size, policy) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
    reference_.rise(inputs_, {});
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next();
    expected_ = reference_.expect(inputs_);
    inputs_.grant_ready = traffic_.takes(expected_);
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override {
    // In a reset nobody takes what is granted.
    if (!inputs_.rst_n) return true;
    return found_.grant_valid == expected_.has_value() && found_.grant == one_bit<kInputWords>(expected_) &&
           found_.grant_input == expected_.value_or(0);
  }
  std::string describe() const override {
    std::string text = granted_text("input", expected_, numbers_of(found_.grant));
    text += fmt::format("  outputs: grant_valid_o {:d}, grant_input_o {}\n", found_.grant_valid, found_.grant_input);
    text += fmt::format("  inputs: reset {}, ready {}; input {} was served last\n", !inputs_.rst_n, inputs_.grant_ready,
                        last_);
    for (unsigned i = 0; i < reference_.size().inputs; ++i) {
      if (!has_bit(inputs_.head_valid, i)) continue;
      const unsigned application = reference_.application(inputs_, i);
      text += fmt::format("    input {}: application {} (weight {}), flits {}, age {}\n", i, application,
                          reference_.weight(inputs_, application), reference_.flits(inputs_, i),
                          reference_.age(inputs_, i));
    }
    return text;
  }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    const bool taken = inputs_.rst_n && expected_ && inputs_.grant_ready;
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_, expected_);
    traffic_.done(inputs_, expected_);
    if (taken) last_ = *expected_;
    return taken;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlFlitArbiter>> design_;
  FlitArbiterReference reference_;
  Traffic traffic_;
  FlitArbiterCoverage coverage_;
  FlitArbiterInputs inputs_;
  std::optional<unsigned> expected_;
  FlitArbiterOutputs found_;
  unsigned last_ = 0;
};

}  // namespace

FlitArbiterSize flit_arbiter_size(const RtlParameters& size) {
  return {size.at("Inputs"), size.at("Apps"), size.at("WeightW"), size.at("LengthW"), size.at("AgeW")};
}

Design flit_arbiter_design(const BuiltDesign& built, const std::string& policy,
                           std::shared_ptr<const FlitArbiterRecording> recording) {
  const FlitArbiterSize size = flit_arbiter_size(built.size);
  return {built.name, policy, names_of(flit_arbiter_knobs(size)),
          [=, make = made_by<RtlFlitArbiter>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<FlitArbiterBench<decltype(traffic)>>(size, policy, make(seed),
                                                                           std::move(traffic));
            };
            if (recording) return bench(PlayedFlitArbiter(size, *recording));
            return bench(FlitArbiterTraffic(size, seed, fixed));
          }};
}

}  // namespace gputlm
