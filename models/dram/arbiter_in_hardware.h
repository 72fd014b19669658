/// A DRAM scheduler whose decisions an arbiter in hardware takes: that of rtl/, or the user's own with the same ports.
#pragma once

#include <functional>

#include "models/dram/rtl_arbiter.h"
#include "models/dram/scheduler.h"

namespace gputlm {

/// Adds the policy to request_schedulers(). `model_for` gives the arbiter that is to hold a queue; it is asked when a
/// controller is made. What it cannot hold after all, such as more banks, is an InputError then.
void add_scheduler_in_hardware(const PolicyInfo& info, std::function<RtlModel(const SchedulerSetup&)> model_for);

}  // namespace gputlm
