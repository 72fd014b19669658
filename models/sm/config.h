#pragma once

#include <array>
#include <string>

#include "models/kernel/instruction.h"
#include "models/policy/options.h"
#include "models/sm/l1/config.h"
#include "models/sm/tlb_config.h"
#include "models/sm_limits.h"
#include "tlm/base/time.h"

namespace gputlm {

/// Timing of one execution pipeline of a sub-core.
struct PipeConfig {
  unsigned interval = 1;  ///< cycles between two warp instructions (32 lanes / lanes of the pipe)
  unsigned latency = 4;   ///< cycles from issue until a dependent instruction can issue
};

struct SmConfig : SmLimits {
  std::string model = "warps";
  std::string durations = "none";  ///< file written by `gputlm calibrate`, for a model that needs it
  unsigned sub_cores = 4;
  std::string warp_scheduler = "lrr";
  /// Cycles from the issue of a taken branch until the warp's next instruction can issue: its instruction buffer is empty,
  /// since the instructions after the branch were fetched in vain (Huerta et al., MICRO 2025, section 5.2; "branch
  /// resolving" among the stall reasons of NVIDIA's Nsight Compute documentation). A branch is a control instruction that
  /// ends the body of a loop.
  unsigned branch_latency = 0;
  PolicyOptions options;       ///< options of warp schedulers and L1 replacement policies
  bool fp_int_shared = false;  ///< FP32 and INT are one pipeline (before Volta)
  PipeConfig fp32, integer, fp64, sfu, tensor, load_store, control;
  unsigned lsu_queue = 8;         ///< memory instructions waiting for the load/store unit of the SM
  unsigned shared_latency = 24;   ///< cycles of a shared-memory access without bank conflicts
  unsigned shared_banks = 32;     ///< banks of shared memory, each four bytes wide
  unsigned constant_latency = 8;  ///< cycles of a constant access, which always hits, except for launch_fetch_latency
  /// Cycles from the start of a launch's first block on the SM until it can issue: its first instructions, and then the
  /// parameters that they read (a launch's constant bank is new), come from the L2. This is much of a short kernel's time:
  /// "no instructions" and "IMC miss" among the stall reasons of NVIDIA's Nsight Compute documentation.
  unsigned launch_fetch_latency = 0;
  /// Cycles from the issue of a TMA copy until its first request leaves the SM; then one line per cycle. Such loads take
  /// about 170 cycles longer than others on an H800 (Luo et al., arXiv:2501.12084, section 5.1).
  unsigned tma_latency = 170;
  /// Cycles of a memory fence of scope cluster or wider by a warp with nothing in flight.
  unsigned fence_latency = 0;
  L1Config l1;
  SmTlbConfig tlb;  ///< TLB, which exists only with an MMU
};

}  // namespace gputlm
