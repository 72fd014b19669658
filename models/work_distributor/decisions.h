/// What the kernel order of a context is told and asked, event by event: all that one of hardware in its place would see at
/// its ports (rtl/leftover_kernel_order.sv).
#pragma once

#include <cstdint>
#include <vector>

#include "tlm/base/time.h"
#include "tlm/identity.h"

namespace gputlm {

struct KernelOrderEvent {
  enum class Kind : std::uint8_t {
    kComes,      ///< a kernel is in flight from now on
    kSends,      ///< the answer was this kernel, and a block of it is sent
    kSendsLast,  ///< the same with its last block
    kEnds,       ///< the kernel is no longer in flight
  };
  Cycle at = 0;  ///< of the core clock
  Kind kind{};
  KernelId kernel = 0;
  int priority = 0;  ///< of a kernel that comes: lower is more urgent
  /// Of what is sent: the kernels that might have sent a block. Those have blocks left, and SMs that no kernel ahead of them
  /// waits for.
  std::vector<KernelId> pending = {};
};

}  // namespace gputlm
