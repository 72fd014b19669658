/// What a kernel asks of the hardware, counted where it runs alone, on SMs that run warps: a demand as a profiler would have
/// it (models/kernel/demand.h). A run of a set (run_set.h).
#pragma once

#include <optional>
#include <string_view>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/demand.h"
#include "platform/lab/jobs.h"

namespace gputlm {

struct DemandRun {
  GpuConfig config;      ///< configuration whose SMs run warps
  LaunchCommand launch;  ///< only its kernel and the resources of its blocks matter

  using Result = KernelDemand;
  Job job() const;
  static Result result(std::string_view bytes);
};

/// Warp instructions of a launch by Pipe, computed from its code without a run; none if its blocks share out work
/// dynamically.
std::optional<PipeInstructions> instructions_by_pipe(Kernel& kernel);

}  // namespace gputlm
