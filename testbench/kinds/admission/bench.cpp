#include "testbench/kinds/admission/bench.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "models/bit_words.h"
#include "testbench/kinds/admission/coverage.h"
#include "testbench/kinds/admission/played.h"
#include "testbench/kinds/admission/traffic.h"
#include "testbench/lockstep/granted.h"

namespace gputlm {
namespace {

template <class Traffic>
class AdmissionBench final : public Bench {
 public:
  AdmissionBench(const AdmissionSize& size, const std::string& policy,
                 std::unique_ptr<ObservedDevice<RtlAdmission>> design, Traffic traffic)
      : design_(std::move(design)), reference_(size, policy), traffic_(std::move(traffic)), coverage_(size) {
    // Nothing may be expected of the outputs before the first reset.
    inputs_.rst_n = false;
    inputs_.shared = size.entries;
    design_->device().settle(inputs_);
    design_->device().rise(inputs_);
    reference_.rise(inputs_, {});
  }

  Observed& observed() override { return *design_; }
  void settle() override {
    inputs_ = traffic_.next(reference_);
    expected_ = reference_.expect(inputs_);
    inputs_.admit_ready = traffic_.takes();
    design_->device().settle(inputs_);
    found_ = design_->device().outputs();
  }
  bool agrees() const override {
    // In a reset nobody takes what is admitted.
    if (!inputs_.rst_n) return true;
    return found_.admit_valid == expected_.has_value() && found_.admit == (expected_ ? 1u << *expected_ : 0) &&
           found_.admit_app == expected_.value_or(0);
  }
  std::string describe() const override {
    std::string text = granted_text("application", expected_, numbers_of(std::array<std::uint64_t, 1>{found_.admit}));
    text += fmt::format("  outputs: admit_valid_o {:d}, admit_app_o {}\n", found_.admit_valid, found_.admit_app);
    text += fmt::format("  inputs: reset {}, ready {}, leave {} (application {})\n", !inputs_.rst_n,
                        inputs_.admit_ready, inputs_.leave_valid, inputs_.leave_app);
    text += fmt::format("  {} entries reserved for each, {} of {} shared ones left; application {} was last\n",
                        reference_.reserved(), reference_.shared_left(), reference_.shared(), reference_.last());
    for (unsigned a = 0; a < reference_.size().applications; ++a) {
      text += fmt::format("    application {}: {} in the queue, {} at the head\n", a, reference_.used(a),
                          inputs_.head_valid >> a & 1 ? reference_.length(inputs_, a) : 0);
    }
    return text;
  }
  void rise() override { design_->device().rise(inputs_); }
  bool step() override {
    coverage_.sample(inputs_, expected_, reference_);
    reference_.rise(inputs_, expected_);
    traffic_.done(inputs_, expected_);
    return inputs_.rst_n && expected_ && inputs_.admit_ready;
  }
  const CoveragePoints& coverage() const override { return coverage_.points(); }
  bool ended() const override { return traffic_.ended(); }
  std::uint64_t cycles() const override { return traffic_.cycles(); }
  Played played() const override { return traffic_.played(); }

 private:
  std::unique_ptr<ObservedDevice<RtlAdmission>> design_;
  AdmissionReference reference_;
  Traffic traffic_;
  AdmissionCoverage coverage_;
  AdmissionInputs inputs_;
  std::optional<unsigned> expected_;
  AdmissionOutputs found_;
};

}  // namespace

AdmissionSize admission_size(const RtlParameters& size) {
  return {size.at("Entries"), size.at("Apps"), size.at("LengthW"), size.at("HasShared") != 0};
}

Design admission_design(const BuiltDesign& built, const std::string& policy,
                        std::shared_ptr<const AdmissionRecording> recording) {
  const AdmissionSize size = admission_size(built.size);
  return {built.name, policy, names_of(admission_knobs(size)),
          [=, make = made_by<RtlAdmission>(built)](std::uint64_t seed, const FixedKnobs& fixed) {
            const auto bench = [&](auto traffic) -> std::unique_ptr<Bench> {
              return std::make_unique<AdmissionBench<decltype(traffic)>>(size, policy, make(seed), std::move(traffic));
            };
            if (recording) return bench(PlayedAdmission(size, *recording));
            return bench(AdmissionTraffic(size, seed, fixed));
          }};
}

}  // namespace gputlm
