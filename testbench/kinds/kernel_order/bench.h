/// The kernel orders of rtl/ in lockstep with those of the work distributor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/work_distributor/decisions.h"
#include "models/work_distributor/rtl_kernel_order.h"
#include "testbench/lockstep/kind.h"

namespace gputlm {

KernelOrderSize kernel_order_size(const RtlParameters& size);
/// Under `recording`, or under random traffic.
Design kernel_order_design(const BuiltDesign& built, const std::string& policy,
                           std::shared_ptr<const std::vector<KernelOrderEvent>> recording = nullptr);

}  // namespace gputlm
