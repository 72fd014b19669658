#pragma once

#include "tlm/base/time.h"

namespace gputlm {

/// Engines make copies between host and GPU, and copies within the device (including memsets) if `sm_bytes` is 0. Otherwise
/// the driver makes the latter with a kernel on the SMs, so that they are as fast as the memory: a local copy kept off the
/// SMs (cudaMemcpyFlagPreferOverlapWithCompute) runs at 87 GiB/s, one by SMs at 1627 (github.com/NVIDIA/nccl, issue 2177;
/// also NVIDIA/cudf, issue 23674). The model has that kernel's memory traffic, but not its use of the SMs.
///
/// Unpublished properties of real engines are assumed: one engine that neither limits a PCIe link nor hides its latency.
struct CopyEngineConfig {
  unsigned engines = 1;                   ///< number of concurrent copies, in addition to one by the SMs
  unsigned bytes_per_cycle = 64;          ///< bytes that an engine moves per core cycle
  unsigned pageable_bytes_per_cycle = 4;  ///< the same with pageable memory, which the CPU copies to a pinned buffer
  /// Largest copy that fits the driver's pinned buffer. It is as fast as from pinned memory if the driver has copied all of
  /// it before the engine begins (Copy::staged).
  Bytes staging = Bytes{4} << 20;
  unsigned setup = 500;     ///< core cycles from taking a copy to its first request
  Bytes packet = 256;       ///< bytes moved together; whole lines
  unsigned packets = 128;   ///< packets in flight, of all engines together
  Bytes sm_bytes = 0;       ///< bytes in flight on each SM in a copy within the device; 0: engines make it
  unsigned sm_setup = 900;  ///< core cycles from taking such a copy to its first requests
  /// Bytes at the beginning of a copy, and again at its end, that are moved packet by packet, however large it is, if
  /// nothing else happens on the GPU; the middle takes time at the last packets' pace.
  Bytes detail = Bytes{16} << 20;
  /// If no kernel of a run accesses memory, skips copies at the pace of earlier ones (fast_forward.h).
  bool learn = true;
  Bytes sample = Bytes{16} << 20;  ///< bytes moved packet by packet to learn the pace of a combination of copies
};

}  // namespace gputlm
