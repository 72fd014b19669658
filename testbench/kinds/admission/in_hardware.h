/// The admission to the queue of a DRAM controller in hardware: that of rtl/, or a user's own with the same ports.
#pragma once

#include <memory>
#include <vector>

#include "models/dram/admission.h"
#include "testbench/kind/hardware_policy.h"
#include "testbench/kinds/admission/ports.h"

namespace gputlm {

/// See hardware_policy.h.
struct AdmissionHardware {
  using Ports = AdmissionPorts;
  using Setup = AdmissionSetup;
  static auto& decision() { return admission_policies(); }
  static std::unique_ptr<AdmissionPolicy> make(const HardwareModel<Ports>& model, const Setup& setup,
                                               const PolicyInfo& info);
  static RtlParameters wanted(const Setup& setup);
  static std::vector<PolicyInfo> of_rtl();
  static PolicyInfo own();
};

}  // namespace gputlm
