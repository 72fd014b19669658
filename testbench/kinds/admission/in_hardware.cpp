#include "testbench/kinds/admission/in_hardware.h"

#include <stdexcept>
#include <utility>

#include "testbench/kind/at_most.h"

namespace gputlm {
namespace {

constexpr const char* kAdmissionSeam = "dram.admission";

/// The admission of a controller in hardware. Accesses that enter and bursts that leave become port activity, one clock cycle
/// each, or one for both together; the design is not clocked when nothing happens.
class AdmissionInHardware final : public AdmissionPolicy {
 public:
  AdmissionInHardware(const HardwareModel<AdmissionPorts>& model, const AdmissionSetup& setup, std::string policy)
      : size_(model.size), policy_(std::move(policy)), design_(model.make()) {
    inputs_.reserved = setup.reserved;
    inputs_.shared = setup.entries - setup.applications * setup.reserved;
    inputs_.rst_n = false;
    design_->settle(inputs_);
    design_->rise(inputs_);
    inputs_.rst_n = true;
  }

  unsigned next(const AdmissionHeads& heads) const override {
    if (inputs_.admit_ready || inputs_.leave_valid) clock();
    inputs_.head_valid = static_cast<std::uint32_t>(heads.waiting);
    for (unsigned a = 0; a < size_.applications; ++a) {
      if ((heads.waiting >> a & 1) == 0) continue;
      at_most("bursts of a DRAM access", heads.bursts[a], largest_of(size_.length_bits), kAdmissionSeam, policy_);
      inputs_.head_length.put(a, size_.length_bits, heads.bursts[a]);
    }
    design_->settle(inputs_);
    clock_is_low_ = true;
    const AdmissionOutputs admitted = design_->outputs();
    if (!admitted.admit_valid)
      throw InputError(policy_ + ": admit_valid_o is 0, but head_valid_i has accesses that fit");
    if (admitted.admit_app >= size_.applications || (heads.waiting >> admitted.admit_app & 1) == 0) {
      throw InputError(policy_ + ": admit_app_o is " + std::to_string(admitted.admit_app) +
                       ", an application without an access that fits");
    }
    return admitted.admit_app;
  }

  void entered(unsigned application) override {
    // The design admits its last answer at the edge: nothing may have happened since.
    if (!clock_is_low_ || inputs_.leave_valid || inputs_.admit_ready || design_->outputs().admit_app != application) {
      throw std::logic_error(policy_ + ": an access entered that was not the next one");
    }
    inputs_.admit_ready = true;
  }

  void left(unsigned application) override {
    if (inputs_.leave_valid) clock();
    inputs_.leave_valid = true;
    inputs_.leave_app = application;
  }

 private:
  void clock() const {
    if (!inputs_.admit_ready) inputs_.head_valid = 0;  // left from an earlier decision
    design_->settle(inputs_);
    design_->rise(inputs_);
    clock_is_low_ = false;
    inputs_.admit_ready = inputs_.leave_valid = false;
  }

  AdmissionSize size_;
  std::string policy_;
  std::unique_ptr<Device<AdmissionPorts>> design_;
  // A decision brings the hardware up to date with reported events, which does not count as a change.
  mutable AdmissionInputs inputs_;  ///< inputs of the next cycle
  mutable bool clock_is_low_ = false;
};

}  // namespace

std::unique_ptr<AdmissionPolicy> AdmissionHardware::make(const HardwareModel<Ports>& model, const Setup& setup,
                                                         const PolicyInfo& info) {
  const auto check = [&](const char* parameter, unsigned found, std::uint64_t most) {
    at_most(parameter, found, most, kAdmissionSeam, info.name);
  };
  check("dram.queue", setup.entries, model.size.entries);
  check("dram.applications", setup.applications, model.size.applications);
  check("bursts of a DRAM access", setup.longest, largest_of(model.size.length_bits));
  const unsigned shared = setup.entries - setup.applications * setup.reserved;
  check("entries of dram.queue that are reserved for nobody", shared, model.size.has_shared ? shared : 0);
  return std::make_unique<AdmissionInHardware>(model, setup, info.name);
}

RtlParameters AdmissionHardware::wanted(const Setup& setup) {
  return {{"Entries", setup.entries},
          {"Apps", setup.applications},
          {"LengthW", bits_to_name(setup.longest + 1)},
          {"HasShared", 1}};
}

/// There are no built-in designs.
std::vector<PolicyInfo> AdmissionHardware::of_rtl() { return {}; }

PolicyInfo AdmissionHardware::own() { return {}; }

}  // namespace gputlm
