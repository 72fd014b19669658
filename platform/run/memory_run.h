/// One run of an address trace on DRAM controllers, from elaboration to result. SystemC allows one a process:
/// experiments that need several use platform/lab/isolated.h.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "models/dram/config.h"
#include "models/dram/controller_core.h"
#include "models/memory_map/config.h"
#include "platform/input/address_trace.h"
#include "platform/run/playback.h"
#include "platform/run/result.h"

namespace gputlm {

class ProbeSet;  // platform/probes/probe_set.h

struct MemorySystem {
  DramConfig dram;
  MemoryMapConfig address_map;  ///< how addresses spread over the channels
  PlayerConfig player;
};

struct MemoryProgress {
  Cycle cycles = 0;
  std::uint64_t answered = 0;
};

struct MemoryRunOptions {
  bool check_protocol = false;  ///< TLM-2.0 base protocol on every socket; violations become an exception
  ProbeSet* probes = nullptr;   ///< attached to the controllers; the caller commits what they wrote
  /// Asked now and then; false ends the run, incomplete.
  std::function<bool(const MemoryProgress&)> proceed;
};

struct MemoryResult {
  RunState state = RunState::kComplete;
  Cycle cycles = 0;            ///< command cycles until the last data had been moved, or how far the run came
  std::uint64_t issued = 0;    ///< accesses
  std::uint64_t answered = 0;  ///< accesses
  std::vector<DramStatistics> channels;
  std::vector<PolicyRecord> policies;
  std::vector<ApplicationLatency> latencies;  ///< by ApplicationId
  std::uint64_t checked_transactions = 0;     ///< by a protocol checker
  ApplicationLatency latency() const;         ///< of all applications together
};

/// Throws InputError for accesses that the system has not: smaller than a burst, larger than a line, no power of two.
void check(const MemorySystem& system);

/// Throws InputError for a system that cannot be (DramControllerCore, MemoryMap, an access smaller than a burst or
/// larger than a line) and for a trace that cannot be read.
MemoryResult play(const MemorySystem& system, AddressTrace& trace, const MemoryRunOptions& options);

}  // namespace gputlm
