/// A measured timeline as a workload: kernels whose blocks spin as long as they took, and copies of as many bytes, to be
/// run again under other policies.
#pragma once

#include <cstdint>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/measured/timeline.h"

namespace gputlm {

/// When a command goes into its stream, beside what its stream has before it.
enum class MeasuredRelease : std::uint8_t {
  kLaunch,  ///< when the host called for it; where that is not known, when it began
  kStart,   ///< when it began
  kNone,    ///< at once
};

/// A stream a CUDA stream, an application a context, named after its process. `gpu`: on which it is to run; it also stands
/// for what the timeline does not say of the GPU that it was measured on. What is assumed is among the warnings.
Workload measured_workload(const MeasuredTimeline& timeline, const GpuConfig& gpu, MeasuredRelease release);

/// Core cycles for which the blocks of a kernel spin so that it lasts `duration`, alone on `sms` SMs of these limits under
/// a work distributor as in `gpu`, as a profiler sees it: from the start of its first block to the end of its last, and the
/// latencies of its launch before and of its completion after that; 0 if it lasts longer anyway.
Cycle block_spin(Cycle duration, const Kernel& kernel, unsigned sms, const SmLimits& limits, const GpuConfig& gpu);

}  // namespace gputlm
