#include "testbench/kinds/regulator/in_hardware.h"

#include <array>
#include <stdexcept>
#include <utility>

#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kRegulatorSeam = "noc.regulator";

/// The regulator of a place in hardware. It sees each request when it asks to pass, a clock edge for each request that
/// passes, and one for the start of a period, with the requests that were refused last.
class RegulatorInHardware final : public BandwidthRegulator {
 public:
  RegulatorInHardware(const HardwareModel<RegulatorPorts>& model, const RegulatorSetup& setup, std::string policy)
      : size_(model.size), policy_(std::move(policy)), design_(model.make()) {
    for (unsigned a = 0; a < setup.budgets.size(); ++a) {
      at_most("bytes of a memory budget at a place", setup.budgets[a], largest_of(size_.token_bits), kRegulatorSeam,
              policy_);
      inputs_.budget.put(a, size_.token_bits, setup.budgets[a]);
    }
    inputs_.rst_n = false;
    clock();
    inputs_.rst_n = true;
  }

  bool fits(unsigned number, Bytes bytes) const override {
    at_most("bytes of a request", bytes, largest_of(size_.length_bits), kRegulatorSeam, policy_);
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
    for (unsigned a = 0; a < size_.applications; ++a) {
      if (valid >> a & 1) inputs_.head_bytes.put(a, size_.length_bits, asked_[a]);
    }
    design_->settle(inputs_);
  }
  void clock() {
    design_->settle(inputs_);
    design_->rise(inputs_);
  }

  RegulatorSize size_;
  std::string policy_;
  std::unique_ptr<Device<RegulatorPorts>> design_;
  // A decision shows its request to the hardware, which does not count as a change.
  mutable std::array<Bytes, RegulatorSize::Most::applications> asked_{};
  mutable RegulatorInputs inputs_;
};

}  // namespace

std::unique_ptr<BandwidthRegulator> RegulatorHardware::make(const HardwareModel<Ports>& model, const Setup& setup,
                                                            const PolicyInfo& info) {
  at_most("applications with a memory budget", setup.budgets.size(), model.size.applications, kRegulatorSeam,
          info.name);
  return std::make_unique<RegulatorInHardware>(model, setup, info.name);
}

RtlParameters RegulatorHardware::wanted(const Setup& setup) {
  return {{"Apps", static_cast<unsigned>(setup.budgets.size())},
          {"TokenW", RegulatorSize::Most::token_bits},
          {"LengthW", RegulatorSize::Most::length_bits}};
}

std::vector<PolicyInfo> RegulatorHardware::of_rtl() {
  const char* const source = "Yun et al., RTAS 2013";
  return {of_rtl_module("hard", 3, "regulator", source),
          of_rtl_module("reclaim", 4, "regulator", source, {Property::kSharesBudgets})};
}

/// The design may give an application's unused budget to others.
PolicyInfo RegulatorHardware::own() { return {{}, {}, {}, {Property::kSharesBudgets}}; }

}  // namespace gputlm
