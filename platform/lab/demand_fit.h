/// Replaces kernels that a demand describes (demand_program.h) by kernels with warps. No counter tells how well their warps
/// hide latency. This is fitted so that each kernel, alone on the GPU at the measured clock, takes the measured time.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/demand.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// A kernel that got warps: the demand, and what the kernel has alone.
struct FittedKernel {
  std::string name;
  KernelDemand asked, has;
  double hidden = 0;  ///< see DemandProgram::program()

  /// Counts that differ from the demand by more than 5 %, and shares that differ by more than 5 points: "l1_hit_rate 0.31 for
  /// 0.42".
  std::vector<std::string> missed() const;
};

struct FittedDemands {
  std::vector<FittedKernel> kernels;
  std::vector<std::string> kept;  ///< kernels with such a demand that keep their own program
};

/// Gives warps to each kernel of the workload that only spins and has a demand with a duration, and drops the workload's
/// request for SMs that run blocks. All other kernels stay unchanged. `gpu` is the GPU of the measurement. Throws InputError
/// if there is no such kernel, or if one does not fit the GPU.
FittedDemands fit_demands(Workload& workload, const GpuConfig& gpu, const JobOptions& options);

}  // namespace gputlm
