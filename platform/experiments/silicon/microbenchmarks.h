/// Microbenchmarks of a GPU, on the model: each quantity is measured as in the programs whose results have been published
/// (reference.yaml). A value is the difference of two kernels of which one does more of the same, so that launches, first
/// misses and ends cancel out.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/experiment_runs.h"

namespace gputlm {

struct Microbenchmark {
  std::string key;   ///< key of the published value: GPU.KEY.WHO in reference.yaml
  std::string name;  ///< as printed, with its unit
};

/// In the order of display: those of a latency run, then those of a bandwidth run.
const std::vector<Microbenchmark>& microbenchmarks();

/// One warp that calculates and chases pointers, in core cycles, and an empty kernel, in ns as reported by a profiler: from
/// its arrival on the GPU until it counts as ended. Values are in the order of microbenchmarks().
Run latency_run(const GpuConfig& gpu);
std::vector<double> latencies(const RunResult& result, const GpuConfig& gpu);

/// All SMs read memory, then data in the L2; the longer of two sweeps reads `bytes` more than the shorter one. Values: GB/s,
/// in the order of microbenchmarks().
Run bandwidth_run(const GpuConfig& gpu, Bytes bytes);
std::vector<double> bandwidths(const RunResult& result, const GpuConfig& gpu, Bytes bytes);

}  // namespace gputlm
