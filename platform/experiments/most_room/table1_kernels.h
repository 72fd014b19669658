/// The kernels of table 1 of most-room, as its appendix A describes them. Kernels A and B of a kind run the same code.
///
/// Fitted, to the serial columns of the table and to nothing else: how much each kind calculates between its accesses, or
/// how long the host takes for far faults, so that B alone takes as long in terms of A alone as the paper's. The hit rate of the L1-dependent kind is the 90 % that
/// appendix A gives. Lengths are ours: the paper's kernels run for 10^7 to 10^9 cycles.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "models/config.h"
#include "models/host/workload.h"
#include "models/kernel/kernel.h"
#include "platform/lab/runs.h"

namespace gputlm {

enum class Table1Kind : std::uint8_t { kL1, kCompute, kMemory, kTransfer };

/// By its name in the figures: "L1-cache-dependent" and so on. Throws std::logic_error for another.
Table1Kind table1_kind(const std::string& name);

struct Table1Kernel {
  bool is_b = false;  ///< B has data of its own
  std::uint32_t blocks = 1, threads = 32;
};

/// `a_warps`: of a block of A, whose tables fill the L1 of `gpu`. `scale`: length of the kernel; 1 is the shortest.
std::shared_ptr<Kernel> table1_kernel(Table1Kind kind, const Table1Kernel& kernel, const GpuConfig& gpu,
                                      std::uint32_t a_warps, std::uint32_t scale);

/// From one page that a block of the transfer kind uses to the next.
inline constexpr Bytes kPageApart = Bytes{1} << 21;

/// The managed memory of its data, if it has some.
std::optional<ManagedAllocation> table1_managed(Table1Kind kind, const Table1Kernel& kernel, std::uint32_t scale);

/// What a kind needs of the GPU.
ParameterSettings table1_settings(Table1Kind kind);

}  // namespace gputlm
