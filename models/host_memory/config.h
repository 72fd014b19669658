#pragma once

#include "tlm/base/time.h"

namespace gputlm {

/// The memory of the host as the link sees it: two channels of DDR4-2400 (JESD79-4: 19.2 GB/s each), and the time that
/// a read takes through the processor.
struct HostMemoryConfig {
  double gb_per_s = 38.4;  ///< 10^9 bytes per second
  unsigned latency = 150;  ///< core cycles
  Femtoseconds byte_time() const { return static_cast<Femtoseconds>(1e6 / gb_per_s + 0.5); }
};

}  // namespace gputlm
