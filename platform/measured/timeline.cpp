#include "platform/measured/timeline.h"

namespace gputlm {

SmLimits MeasuredGpu::limits(SmLimits assumed) const {
  if (warps) assumed.warps = *warps, assumed.threads = *warps * static_cast<unsigned>(kWarpSize);
  if (blocks) assumed.blocks = *blocks;
  if (registers) assumed.registers = *registers;
  if (shared_memory) assumed.shared_memory = *shared_memory;
  return assumed;
}

}  // namespace gputlm
