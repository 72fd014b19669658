#pragma once

#include <array>
#include <string>

#include "models/kernel/instruction.h"
#include "models/policy/options.h"
#include "tlm/time.h"

namespace gputlm {

/// Timing of one execution pipeline of a sub-core.
struct PipeConfig {
  unsigned interval = 1;  ///< cycles between two warp instructions (32 lanes / lanes of the pipe)
  unsigned latency = 4;   ///< cycles from issue until a dependent instruction can issue
};

struct L1Config {
  Bytes bytes = 32768;
  unsigned ways = 4;
  unsigned fill_bytes = 32;                ///< fetched together by a miss, aligned: a sector, two, or the line
  unsigned hit_latency = 32;               ///< cycles from issue until a dependent instruction can issue
  unsigned fill_latency = 12;              ///< cycles from a reply's arrival until a dependent instruction can issue
  bool invalidate_at_kernel_start = true;  ///< a kernel's first block on the SM empties the L1
  unsigned mshrs = 256;                    ///< lines with an outstanding miss
  unsigned mshr_merges = 8;                ///< accesses merged into one outstanding line
  unsigned queue = 64;                     ///< misses and stores waiting for the GPC port
};

struct SmConfig {
  unsigned threads = 1024;
  unsigned warps = 32;
  unsigned blocks = 16;
  unsigned registers = 65536;
  unsigned register_granularity = 256;  ///< registers of a warp are allocated in multiples of this
  Bytes shared_memory = 65536;
  unsigned max_threads_per_block = 1024;
  unsigned sub_cores = 4;
  std::string warp_scheduler = "lrr";
  PolicyOptions options;       ///< of warp orders
  bool fp_int_shared = false;  ///< FP32 and INT are one pipeline (before Volta)
  PipeConfig fp32, integer, fp64, sfu, tensor, load_store, control;
  unsigned lsu_queue = 8;         ///< memory instructions waiting for the load/store unit of the SM
  unsigned shared_latency = 24;   ///< cycles, without bank conflicts
  unsigned shared_banks = 32;     ///< four bytes wide each
  unsigned constant_latency = 8;  ///< cycles; constant accesses always hit
  L1Config l1;
};

}  // namespace gputlm
