/// Kernels with warps in the place of kernels that a demand describes (demand_program.h). How far their warps hide latency,
/// which no counter says, is fitted: so that each kernel, alone on the GPU at the clock at which it was measured, takes as
/// long as it did.
#pragma once

#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/demand.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// A kernel that got warps: what was asked for and what it has, alone.
struct FittedKernel {
  std::string name;
  KernelDemand asked, has;
  double hidden = 0;  ///< see DemandProgram::program()

  /// Counts of the demand that it has by more than 5 % otherwise, shares by more than 5 points: "l1_hit_rate 0.31 for 0.42".
  std::vector<std::string> missed() const;
};

struct FittedDemands {
  std::vector<FittedKernel> kernels;
  std::vector<std::string> kept;  ///< names of kernels that have such a demand, and a program of their own
};

/// Gives each kernel of the workload that only spins, and has a demand with a duration, warps, and lets the workload ask for
/// no SMs that run blocks. All others stay as they are. The GPU is the one on which they were measured. Throws InputError
/// where there is no such kernel, or one does not fit the GPU.
FittedDemands fit_demands(Workload& workload, const GpuConfig& gpu, const JobOptions& options);

}  // namespace gputlm
