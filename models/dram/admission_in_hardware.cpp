#include "models/dram/admission_in_hardware.h"

#include <stdexcept>
#include <utility>

#include "models/rtl_limit.h"

namespace gputlm {
namespace {

constexpr const char* kAdmissionSeam = "dram.admission";

/// The admission of a controller, in hardware. It sees accesses that enter and bursts that leave as port activity, a clock
/// cycle each, or one of both together; it is not clocked when nothing happens.
class AdmissionInHardware final : public AdmissionPolicy {
 public:
  AdmissionInHardware(const AdmissionModel& model, const AdmissionSetup& setup, std::string policy)
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
    inputs_.head_length = 0;
    for (unsigned a = 0; a < size_.applications; ++a) {
      if ((heads.waiting >> a & 1) == 0) continue;
      at_most("bursts of a DRAM access", heads.bursts[a], (1u << size_.length_bits) - 1, kAdmissionSeam, policy_);
      inputs_.head_length |= std::uint64_t{heads.bursts[a]} << a * size_.length_bits;
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
    // What the design admits at the edge is what it was last asked: nothing may have happened since.
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
    if (!inputs_.admit_ready) inputs_.head_valid = 0;  // of an earlier question
    design_->settle(inputs_);
    design_->rise(inputs_);
    clock_is_low_ = false;
    inputs_.admit_ready = inputs_.leave_valid = false;
  }

  AdmissionSize size_;
  std::string policy_;
  std::unique_ptr<RtlAdmission> design_;
  // A question brings the hardware up to date with what has been told: that is not a change.
  mutable AdmissionInputs inputs_;  ///< of the coming cycle
  mutable bool clock_is_low_ = false;
};

}  // namespace

void add_admission_in_hardware(const PolicyInfo& info, std::function<AdmissionModel(const AdmissionSetup&)> model_for) {
  admission_policies().add(
      info, [info, model_for = std::move(model_for)](const AdmissionSetup& setup) -> std::unique_ptr<AdmissionPolicy> {
        const AdmissionModel model = model_for(setup);
        const auto check = [&](const char* parameter, unsigned found, unsigned most) {
          at_most(parameter, found, most, kAdmissionSeam, info.name);
        };
        check("dram.queue", setup.entries, model.size.entries);
        check("dram.applications", setup.applications, model.size.applications);
        check("bursts of a DRAM access", setup.longest, (1u << model.size.length_bits) - 1);
        const unsigned shared = setup.entries - setup.applications * setup.reserved;
        check("entries of dram.queue that are reserved for nobody", shared, model.size.has_shared ? shared : 0);
        return std::make_unique<AdmissionInHardware>(model, setup, info.name);
      });
}

}  // namespace gputlm
