/// Arbiters of rtl/ in lockstep with the C++ policies of the DRAM controller.
#pragma once

#include <memory>
#include <string>

#include "testbench/kinds/arbiter/played.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

ArbiterSize arbiter_size(const RtlParameters& size);
/// Under `recording`, or under random traffic. It is compared with `make_schedulers`, or with its policy's.
Design arbiter_design(const BuiltDesign& built, const std::string& policy,
                      std::shared_ptr<const ArbiterRecording> recording = nullptr,
                      SchedulerMaker make_schedulers = nullptr);

}  // namespace gputlm
