#pragma once

#include "tlm/time.h"

namespace gputlm {

/// What is not published of real engines is assumed: one engine that neither limits a PCIe link nor hides its latency.
struct CopyEngineConfig {
  unsigned engines = 1;                   ///< copies that run at once
  unsigned bytes_per_cycle = 64;          ///< of an engine, core cycles
  unsigned pageable_bytes_per_cycle = 4;  ///< of a copy from or to pageable memory: the CPU's copy into a pinned buffer
  unsigned setup = 500;                   ///< core cycles from taking a copy to its first request
  Bytes packet = 256;                     ///< bytes moved together; whole lines
  unsigned packets = 128;                 ///< under way, of all engines together
  /// At the begin of a copy, and again at its end, that is moved packet by packet, however large it is, where nothing
  /// else happens on the GPU; what is between takes as long as its packets did last.
  Bytes detail = Bytes{16} << 20;
};

}  // namespace gputlm
