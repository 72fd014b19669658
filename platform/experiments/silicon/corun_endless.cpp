#include "platform/experiments/silicon/corun_endless.h"

#include <algorithm>
#include <stdexcept>

#include "platform/experiments/silicon/corun_kernels.h"

namespace gputlm {
namespace {

constexpr Bytes kEndlessMib = Bytes{1} << 20;
constexpr unsigned kWarm = 0, kMeasured = 1;  // phases

bool streams(const CorunKernel& kernel, const GpuConfig& gpu) { return bytes_of_sweep(kernel) > gpu.l2.bytes; }

CorunPart part_of(const Study& plan, const GpuConfig& gpu, const CorunKernel& kernel, unsigned times) {
  const Bytes bytes = plan.number(streams(kernel, gpu) ? "beside_dram_mib" : "beside_mib") * kEndlessMib;
  CorunPart part;
  if (!kernel.moves()) {
    const PipeConfig& pipe = kernel.kind == CorunKernel::Kind::kFp64 ? gpu.sm.fp64 : gpu.sm.fp32;
    part.iterations = Bytes{times} * std::max(1u, plan.number("beside_iterations") / pipe.interval);
  } else if (streams(kernel, gpu)) {
    out_of_step(part);
    part.steps = times * std::max<Bytes>(1, bytes / bytes_of_step(kernel));
  } else {
    part.sweeps = times * std::max<Bytes>(1, bytes / bytes_of_sweep(kernel));
  }
  return part;
}

}  // namespace

Run corun_endless(const Study& plan, const GpuConfig& gpu, const CorunRow& row, Address memory, bool beside) {
  Run run{gpu, workload_of_streams(2)};
  run.keep_blocks = false;
  const auto add = [&](StreamId stream, const CorunKernel& kernel, Address base, unsigned times) {
    if (kernel.moves() && !streams(kernel, gpu))
      launch(run.workload, stream, corun_kernel(kernel, CorunPart{}, base), 0, kWarm);
    launch(run.workload, stream, corun_kernel(kernel, part_of(plan, gpu, kernel, times), base), 0, kMeasured);
  };
  add(0, row.first, memory, 1);
  if (beside) add(1, row.second, memory + corun_memory(row.first), plan.number("beside_longer"));
  return run;
}

double endless_time(const std::string& row, const Run& run, const RunResult& result) {
  const std::vector<LaunchOutcome> outcomes = launch_outcomes(result);
  const LaunchOutcome* first = nullptr;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (run.workload.launches[i].phase != kMeasured) continue;
    if (!first) {
      first = &outcomes[i];
    } else if (outcomes[i].end < first->end) {
      throw std::runtime_error(row + ": the kernel that is to run without end ended first; beside_longer is too small");
    }
  }
  return static_cast<double>(first->time());
}

}  // namespace gputlm
