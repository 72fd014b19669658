// Device memory: of an instance, and migrating memory.
#include "platform/run/shares.h"

namespace gputlm {
namespace {

/// Checks what an instance certainly cannot hold. The addresses that kernels use are known only when a warp uses them.
void check_device_memory(const Sharing& s) {
  if (!s.parts.is_divided()) return;
  for (const ThreadSpec& thread : s.workload.threads) {
    const GpuConfig& gpu = s.parts.gpu_of(thread.application);
    if (thread.allocated <= gpu.mmu.device_memory) continue;
    refuse(s.applications()[thread.application], "thread {}: found {} bytes allocated at once, allowed: {}, of {}",
           thread.name, thread.allocated, gpu.mmu.device_memory, gpu.name);
  }
  for (const CopyCommand& copy : s.workload.copies) {
    const GpuConfig& gpu = s.parts.gpu_of(s.workload.streams[copy.stream].application);
    if (copy.bytes <= gpu.mmu.device_memory) continue;
    throw InputError(copy.file, copy.line,
                     fmt::format("copy {}: found {} bytes, allowed: {}, the memory of {}", copy.label, copy.bytes,
                                 gpu.mmu.device_memory, gpu.name));
  }
}

void warn_of_device_memory(const Sharing& s, std::vector<std::string>& lines) {
  if (!s.workload.managed.empty() && !(s.gpu.mmu.enabled && s.gpu.host_link.lanes > 0)) {
    lines.push_back(std::string("managed memory is in the GPU's memory from the start: ") +
                    (s.gpu.mmu.enabled ? "host_link.lanes=0" : "mmu.enabled=false"));
  }
}

}  // namespace

const ShareMechanism kDeviceMemory{check_device_memory, nullptr, warn_of_device_memory};

}  // namespace gputlm
