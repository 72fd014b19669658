/// The events and queries of a context's kernel order: all that a hardware kernel order in its place would see at
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
    kSends,      ///< the kernel has been chosen, and a block of it is sent
    kSendsLast,  ///< the same with its last block
    kEnds,       ///< the kernel is no longer in flight
  };
  Cycle at = 0;  ///< in cycles of the core clock
  Kind kind{};
  KernelId kernel = 0;
  int priority = 0;  ///< priority of a kernel that arrives: lower is more urgent
  /// For kSends and kSendsLast: the kernels that might have sent a block. They have blocks left, and SMs that no kernel ahead
  /// of them waits for.
  std::vector<KernelId> pending = {};
};

}  // namespace gputlm
