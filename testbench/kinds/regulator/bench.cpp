#include "testbench/kinds/regulator/bench.h"

#include <fmt/format.h>

#include <utility>

#include "testbench/kinds/regulator/coverage.h"
#include "testbench/kinds/regulator/played.h"
#include "testbench/kinds/regulator/traffic.h"

namespace gputlm {
namespace {

template <class Traffic>
class RegulatorBench final : public Bench {
 public:
  RegulatorBench(const RegulatorSize& size, const std::string& policy,
                 std::unique_ptr<ObservedDevice<RtlRegulator>> design, Traffic traffic)
      : design_(std::move(design)), reference_(size, policy), traffic_(std::move(traffic)), coverage_(size, policy) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
    reference_.rise(inputs_, 0);
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next();
    expected_ = reference_.expect(inputs_);
    // In a reset nobody heeds what fits.
    inputs_.pass = inputs_.rst_n ? traffic_.passes(expected_) : 0;
    design_->device().settle(inputs_);
    found_ = design_->device().outputs().fits;
  }
  bool agrees() const override { return !inputs_.rst_n || found_ == expected_; }
  std::string describe() const override {
    std::string text = fmt::format("  fits_o: expected {:#x}, found {:#x}\n", expected_, found_);
    text += fmt::format("  inputs: reset {}, periods begin {:#x}, passes {:#x}\n", !inputs_.rst_n, inputs_.begin,
                        inputs_.pass);
    for (unsigned a = 0; a < reference_.size().applications; ++a) {
      text += fmt::format("    application {}: budget {}, {}\n", a, reference_.budget(inputs_, a),
                          (inputs_.head_valid >> a & 1) != 0
                              ? fmt::format("a request of {} bytes", reference_.bytes(inputs_, a))
                              : "no request");
    }
    return text;
  }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_, expected_);
    traffic_.done(inputs_);
    return inputs_.pass != 0;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlRegulator>> design_;
  RegulatorReference reference_;
  Traffic traffic_;
  RegulatorCoverage coverage_;
  RegulatorInputs inputs_;
  std::uint32_t expected_ = 0, found_ = 0;
};

}  // namespace

RegulatorSize regulator_size(const RtlParameters& size) {
  return {size.at("Apps"), size.at("TokenW"), size.at("LengthW")};
}

Design regulator_design(const BuiltDesign& built, const std::string& policy,
                        std::shared_ptr<const RegulatorRecording> recording) {
  const RegulatorSize size = regulator_size(built.size);
  return {built.name, policy, names_of(regulator_knobs(size)),
          [=, make = made_by<RtlRegulator>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<RegulatorBench<decltype(traffic)>>(size, policy, make(seed), std::move(traffic));
            };
            if (recording) return bench(PlayedRegulator(size, *recording));
            return bench(RegulatorTraffic(size, seed, fixed));
          }};
}

}  // namespace gputlm
