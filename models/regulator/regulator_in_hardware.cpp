#include "models/regulator/regulator_in_hardware.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "models/rtl_limit.h"

namespace gputlm {
namespace {

constexpr const char* kRegulatorSeam = "noc.regulator";

/// The regulator of a place, in hardware. It sees the request that somebody asks for, a clock edge for each that passes, and
/// one for the start of a period, with the requests that wait then: those for which it was last asked in vain.
class RegulatorInHardware final : public BandwidthRegulator {
 public:
  RegulatorInHardware(const RegulatorModel& model, const RegulatorSetup& setup, std::string policy)
      : size_(model.size), policy_(std::move(policy)), design_(model.make()) {
    for (unsigned a = 0; a < setup.budgets.size(); ++a) {
      at_most("bytes of a memory budget at a place", setup.budgets[a], (std::uint64_t{1} << size_.token_bits) - 1,
              kRegulatorSeam, policy_);
      inputs_.put_budget(a, size_.token_bits, static_cast<std::uint32_t>(setup.budgets[a]));
    }
    inputs_.rst_n = false;
    clock();
    inputs_.rst_n = true;
  }

  bool fits(unsigned number, Bytes bytes) const override {
    at_most("bytes of a request", bytes, (1u << size_.length_bits) - 1, kRegulatorSeam, policy_);
    asked_[number] = bytes;
    show(std::uint32_t{1} << number);
    return (design_->outputs().fits >> number & 1) != 0;
  }
  void passed(unsigned number, Bytes bytes) override {
    if (inputs_.head_valid != std::uint32_t{1} << number || asked_[number] != bytes)
      throw std::logic_error(policy_ + ": a request passed that was not asked for last");
    inputs_.pass = inputs_.head_valid;
    clock();
    inputs_.pass = 0;
  }
  void begin_period(std::uint64_t begins, std::uint64_t waiting) override {
    show(static_cast<std::uint32_t>(waiting));
    if (design_->outputs().fits != 0) throw InputError(policy_ + ": fits_o has a request that did not fit before");
    inputs_.begin = static_cast<std::uint32_t>(begins);
    clock();
    inputs_.begin = 0;
  }

 private:
  void show(std::uint32_t valid) const {
    inputs_.head_valid = valid;
    inputs_.head_bytes = 0;
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (valid >> a & 1) inputs_.head_bytes |= asked_[a] << a * size_.length_bits;
    }
    design_->settle(inputs_);
  }
  void clock() {
    design_->settle(inputs_);
    design_->rise(inputs_);
  }

  RegulatorSize size_;
  std::string policy_;
  std::unique_ptr<RtlRegulator> design_;
  // A question is shown to the hardware: that is not a change.
  mutable std::array<Bytes, RegulatorSize::kMaxApplications> asked_{};
  mutable RegulatorInputs inputs_;
};

}  // namespace

void add_regulator_in_hardware(const PolicyInfo& info, std::function<RegulatorModel(const RegulatorSetup&)> model_for) {
  bandwidth_regulators().add(
      info,
      [info, model_for = std::move(model_for)](const RegulatorSetup& setup) -> std::unique_ptr<BandwidthRegulator> {
        const RegulatorModel model = model_for(setup);
        at_most("applications with a memory budget", setup.budgets.size(), model.size.applications, kRegulatorSeam,
                info.name);
        return std::make_unique<RegulatorInHardware>(model, setup, info.name);
      });
}

}  // namespace gputlm
