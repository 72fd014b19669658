#include "platform/programs/asking_kernel.h"

#include <cmath>

#include "models/kernel/program_kernel.h"
#include "platform/programs/measured_kernels.h"

namespace gputlm {

namespace {

/// `duration` includes the GPU's overhead before and after it.
std::shared_ptr<Kernel> asking(const Kernel& kernel, Cycle duration, const KernelDemand& demand, const GpuConfig& gpu) {
  ProgramSpec spec;
  spec.name = kernel.name;
  spec.grid = kernel.grid;
  spec.block = kernel.block;
  spec.registers_per_thread = kernel.registers_per_thread;
  spec.shared_memory = kernel.shared_memory;
  spec.body = {spin(Clock::from_mhz(gpu.core_mhz).edge(block_spin(duration, kernel, gpu.sms, gpu.sm, gpu)))};
  spec.demand = demand;
  return std::make_shared<ProgramKernel>(std::move(spec), 0);
}

}  // namespace

std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, Cycle execution, const KernelDemand& demand,
                                      const GpuConfig& gpu) {
  const WorkDistributorConfig& latencies = gpu.work_distributor;
  return asking(kernel, execution + latencies.kernel_launch_latency + latencies.kernel_completion_latency, demand, gpu);
}

std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, const KernelDemand& demand, const GpuConfig& gpu) {
  return asking(kernel, static_cast<Cycle>(std::llround(demand.duration_us.value() * gpu.core_mhz)), demand, gpu);
}

}  // namespace gputlm
