/// How an address trace is played on DRAM controllers, and what is measured. Apart from the player (trace_player.h), so
/// that who asks for a run sees no SystemC, which takes a second to compile.
#pragma once

#include "platform/run/latency.h"
#include "tlm/time.h"

namespace gputlm {

/// How a trace is played.
struct PlayerConfig {
  Bytes bytes = 64;          ///< of an access, which begins at a multiple of it: a power of two up to kLineBytes
  unsigned outstanding = 0;  ///< accesses that may wait for their response; 0: no limit but the queues
  Cycle interval = 0;        ///< cycles from one issue to the next, at least; 0: no limit
  unsigned trace_mhz = 0;    ///< clock of the cycles that the trace names; 0: the command clock
};

/// Latencies of an application's accesses.
struct ApplicationLatency {
  LatencyDistribution reads, writes;

  template <class Visitor>
  static void describe(Visitor& v) {
    v.record(&ApplicationLatency::reads, "reads", "Of reads");
    v.record(&ApplicationLatency::writes, "writes", "Of writes");
  }
};

}  // namespace gputlm
