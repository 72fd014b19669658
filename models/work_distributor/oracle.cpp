#include "models/work_distributor/oracle.h"

#include "tlm/base/error.h"

namespace gputlm {

Cycle alone_cycles(const KernelState& kernel) {
  const KernelLaunch& launch = *kernel.launch;
  if (launch.alone_cycles) return *launch.alone_cycles;
  throw InputError("launch " + std::to_string(launch.identity.kernel) + " of kernel " + launch.kernel->name +
                   ": found no alone_cycles, which the kernel order needs");
}

}  // namespace gputlm
