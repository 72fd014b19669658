/// rtl/reserved_admission.sv in lockstep with the admission of the memory controller.
#pragma once

#include <memory>
#include <string>

#include "models/dram/rtl_admission.h"
#include "testbench/kinds/admission/played.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

AdmissionSize admission_size(const RtlParameters& size);
/// Under `recording`, or under random traffic.
Design admission_design(const BuiltDesign& built, const std::string& policy,
                        std::shared_ptr<const AdmissionRecording> recording = nullptr);

}  // namespace gputlm
