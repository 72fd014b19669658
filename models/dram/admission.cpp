#include "models/dram/admission.h"
#include "models/bit_words.h"

namespace gputlm {
namespace {

class GuardedAdmission final : public AdmissionPolicy {
 public:
  GuardedAdmission(std::unique_ptr<AdmissionPolicy> policy, PolicySeam seam)
      : policy_(std::move(policy)), seam_(std::move(seam)) {}
  unsigned next(const AdmissionHeads& heads) const override {
    const unsigned application = seam_.call("next()", [&] { return policy_->next(heads); });
    if (application < kMaxAdmitted && (heads.waiting >> application & 1) != 0) return application;
    seam_.refuse("next()", "application " + std::to_string(application),
                 numbers_text(numbers_of(std::array<std::uint64_t, 1>{heads.waiting})) + ", which wait and fit");
  }
  void entered(unsigned application) override {
    seam_.call("entered()", [&] { policy_->entered(application); });
  }
  void left(unsigned application) override {
    seam_.call("left()", [&] { policy_->left(application); });
  }
  void count(PolicyCounts& counts) const override {
    seam_.call("count()", [&] { policy_->count(counts); });
  }

 private:
  std::unique_ptr<AdmissionPolicy> policy_;
  PolicySeam seam_;
};

}  // namespace

std::unique_ptr<AdmissionPolicy> AdmissionPolicy::guarded(std::unique_ptr<AdmissionPolicy> policy,
                                                          const PolicySeam& seam) {
  return std::make_unique<GuardedAdmission>(std::move(policy), seam);
}

ObjectDecision<AdmissionPolicy, AdmissionSetup>& admission_policies() {
  static ObjectDecision<AdmissionPolicy, AdmissionSetup> all("admission", 7, "dram.admission");
  return all;
}

Admission::Admission(const std::string& policy, const AdmissionSetup& setup)
    : entries_(setup.entries, setup.applications, setup.reserved),
      policy_(admission_policies().at(policy).make(setup)) {}

}  // namespace gputlm
