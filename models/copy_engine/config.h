#pragma once

#include "tlm/time.h"

namespace gputlm {

/// Copies between host and GPU are made by engines, and so are copies within the device (a memset is one) where `sm_bytes`
/// is 0. Elsewhere the driver makes these with a kernel on the SMs, which is why they are as fast as the memory: a local
/// copy that is kept off the SMs (cudaMemcpyFlagPreferOverlapWithCompute) runs at 87 GiB/s where one by SMs reaches 1627
/// (github.com/NVIDIA/nccl, issue 2177; likewise NVIDIA/cudf, issue 23674). Of that kernel the model has what it does to
/// the memory, not the room that it takes on the SMs.
///
/// What is not published of real engines is assumed: one engine that neither limits a PCIe link nor hides its latency.
struct CopyEngineConfig {
  unsigned engines = 1;                   ///< copies that run at once, beside one by the SMs
  unsigned bytes_per_cycle = 64;          ///< of an engine, core cycles
  unsigned pageable_bytes_per_cycle = 4;  ///< of a copy from or to pageable memory: the CPU's copy into a pinned buffer
  /// Of a copy that the driver's pinned buffer holds whole. It is as fast as from pinned memory where the driver has copied
  /// all of it before the engine begins (Copy::staged).
  Bytes staging = Bytes{4} << 20;
  unsigned setup = 500;     ///< core cycles from taking a copy to its first request
  Bytes packet = 256;       ///< bytes moved together; whole lines
  unsigned packets = 128;   ///< under way, of all engines together
  Bytes sm_bytes = 0;       ///< under way on each SM in a copy within the device; 0: engines make it
  unsigned sm_setup = 900;  ///< core cycles from taking such a copy to its first requests
  /// At the begin of a copy, and again at its end, that is moved packet by packet, however large it is, where nothing
  /// else happens on the GPU; what is between takes as long as its packets did last.
  Bytes detail = Bytes{16} << 20;
  /// Where no kernel of a run reads or writes memory, copies are passed over at the pace of those before them (fast_forward.h).
  bool learn = true;
  Bytes sample = Bytes{16} << 20;  ///< moved packet by packet to learn the pace of what is under way together
};

}  // namespace gputlm
