/// An admission whose turns a design in hardware decides: one of the user's own with the ports of rtl/reserved_admission.sv.
#pragma once

#include <functional>

#include "models/dram/admission.h"
#include "models/dram/rtl_admission.h"

namespace gputlm {

/// Adds the policy to admission_policies(). `model_for` gives the design for a queue; it is asked when a controller is
/// made. What it cannot hold after all, such as more applications, is an InputError then.
void add_admission_in_hardware(const PolicyInfo& info, std::function<AdmissionModel(const AdmissionSetup&)> model_for);

}  // namespace gputlm
