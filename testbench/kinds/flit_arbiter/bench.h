/// The flit arbiters of rtl/ in lockstep with the policies of the crossbar's outputs.
#pragma once

#include <memory>
#include <string>

#include "models/noc/rtl_flit_arbiter.h"
#include "testbench/kinds/flit_arbiter/played.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

FlitArbiterSize flit_arbiter_size(const RtlParameters& size);
/// Under `recording`, or under random traffic.
Design flit_arbiter_design(const BuiltDesign& built, const std::string& policy,
                           std::shared_ptr<const FlitArbiterRecording> recording = nullptr);

}  // namespace gputlm
