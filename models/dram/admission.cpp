#include "models/dram/admission.h"

namespace gputlm {

ObjectDecision<AdmissionPolicy, AdmissionSetup>& admission_policies() {
  static ObjectDecision<AdmissionPolicy, AdmissionSetup> all("admission", 7, "dram.admission");
  return all;
}

Admission::Admission(const std::string& policy, const AdmissionSetup& setup)
    : entries_(setup.entries, setup.applications, setup.reserved),
      policy_(admission_policies().at(policy).make(setup)) {}

}  // namespace gputlm
