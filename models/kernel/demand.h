/// What a kernel asks of the hardware, as counters of a profiler have it: sums over one launch, alone on a GPU. A counter
/// that was not measured is not known; nothing is taken for 0.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "models/kernel/instruction.h"

namespace gputlm {

struct KernelDemand {
  using Count = std::optional<double>;  ///< not below 0

  Count duration_us;                  ///< of the launch while its counters were taken
  Count sm_mhz;                       ///< clock of the SMs then
  Count instructions;                 ///< warp instructions executed
  std::array<Count, kPipes> of_pipe;  ///< warp instructions, by Pipe
  Count shared_wavefronts;            ///< cycles of an SM's shared memory, bank conflicts included
  Count l1_sectors;                   ///< of 32 bytes, that global and local accesses ask the L1 for
  Count l1_hit_rate;                  ///< of those, 0 to 1
  Count l2_read_sectors, l2_write_sectors;
  Count l2_hit_rate;  ///< of both, 0 to 1
  Count dram_read_bytes, dram_write_bytes;
  Count warps_active;  ///< of the places of an SM, in the mean over the cycles in which it has any, 0 to 1
  /// Sectors between an SM's blocks and the L2 that are under way at once, for a block, in the mean over its time: how far
  /// its warps hide latency. No profiler has it; `gputlm demand` does.
  Count sectors_in_flight;

  std::string source;  ///< where it stands: "decode.csv, line 12"; empty: written by hand
};

}  // namespace gputlm
