/// What microbenchmarks measure of a GPU, on the model: each quantity as the programs measure it whose results have
/// been published (reference.yaml). It is the difference of two kernels of which one does more of the same, so that
/// launches, first misses and ends cancel out.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/experiment_runs.h"

namespace gputlm {

struct Microbenchmark {
  std::string key;   ///< of what was published: GPU.KEY.WHO in reference.yaml
  std::string name;  ///< as it is printed, with its unit
};

/// In the order in which they are shown: those of a latency run, then those of a bandwidth run.
const std::vector<Microbenchmark>& microbenchmarks();

/// One warp that calculates and chases pointers, in core cycles; and a kernel that does nothing, in ns as a profiler
/// gives it: from its arrival on the GPU until it counts as ended. In the order of microbenchmarks().
Run latency_run(const GpuConfig& gpu);
std::vector<double> latencies(const RunResult& result, const GpuConfig& gpu);

/// All SMs read memory, and then what the L2 has; the longer of two sweeps reads `bytes` more than the shorter one.
/// Values: GB/s, in the order of microbenchmarks().
Run bandwidth_run(const GpuConfig& gpu, Bytes bytes);
std::vector<double> bandwidths(const RunResult& result, const GpuConfig& gpu, Bytes bytes);

}  // namespace gputlm
