/// Kernel orders of the work distributor: parameters and ports of rtl/leftover_kernel_order.sv, which describes them.
#pragma once

#include "testbench/ports/ports.h"

namespace gputlm {

#define KERNEL_ORDER_SIZE(P)                                                 \
  P(kernels, Kernels, 2, 128, kAnyValue, 32, "kernels", "kernels in flight") \
  P(level_bits, LevelW, 1, 8, kAnyValue, 3, "level-bits", "bits of a level of priority")
GPUTLM_SIZE(KernelOrder, KERNEL_ORDER_SIZE);

/// Kernels by their numbers at the ports.
using KernelNumbers = BitSet<KernelOrderSize::Most::kernels>;

#define KERNEL_ORDER_PORTS(IN, OUT)                        \
  IN(event_valid, bool, 1)                                 \
  IN(event_enter, bool, 1)                                 \
  IN(event_kernel, std::uint32_t, bits_to_name(s.kernels)) \
  IN(event_level, std::uint32_t, s.level_bits)             \
  IN(pending, KernelNumbers, s.kernels)                    \
  OUT(grant_valid, bool, 1)                                \
  OUT(grant, KernelNumbers, s.kernels)                     \
  OUT(grant_kernel, std::uint32_t, bits_to_name(s.kernels))
GPUTLM_PORTS(KernelOrder, KERNEL_ORDER_PORTS);

}  // namespace gputlm
