/// Why a job took as long as it did: its response time, cut into parts, and who else was there. Plain functions over what a
/// run has recorded; platform/probes/responses.cpp records it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/block_counters.h"
#include "models/kernel/launch.h"
#include "tlm/counters.h"
#include "tlm/time.h"

namespace gputlm {

/// What a job spends its response time on. In every cycle one thing; where several of its commands are under way, that
/// which is the furthest: a command that runs, then one that waits, then one that is on its way.
enum class ResponsePart : std::uint8_t {
  kHost,
  kTransit,
  kSmSlots,
  kPreemption,
  kExecution,
  kIssue,
  kL1,
  kCrossbar,
  kL2,
  kDram,
  kCopyEngine,
  kCopying,
};
inline constexpr std::size_t kResponseParts = 12;
inline constexpr std::array<CounterLabel, kResponseParts> kResponsePartLabels{
    {{"host", "no command of it has left the host: thread or stream have earlier work, or its delay runs"},
     {"transit", "between host and GPU, launch and completion included"},
     {"sm_slots", "a kernel waits for its first place on an SM, the way there included"},
     {"preemption", "a kernel waits for its application's turn on the execution engine"},
     {"execution", "warps issue, or wait for results, barriers and points in time"},
     {"issue", "warps could issue, but others were chosen"},
     {"l1", "warps wait for memory, but not for requests to the L2: L1, its MSHRs, shared memory"},
     {"crossbar", "requests are on the way to the L2, and back"},
     {"l2", "requests wait at an L2 slice, or hit in it"},
     {"dram", "requests that missed in the L2 wait for DRAM"},
     {"copy_engine", "a copy waits for an engine"},
     {"copying", "a copy is being made"}}};

/// Where the requests of a launch to the L2 were, summed over them; core cycles.
struct RequestTimes {
  std::uint64_t to_l2 = 0;  ///< from the SM to the queue of the slice
  std::uint64_t in_l2 = 0;  ///< in that queue, and of those that did not wait for DRAM until the reply left
  std::uint64_t fetch = 0;  ///< the others, from when they left the queue until the reply left
};

/// A launch or copy that has ended.
struct CommandTimes {
  bool copy = false;
  std::uint32_t command = 0, iteration = 0;  ///< of Workload::launches or Workload::copies
  std::uint32_t owner = 0;                   ///< its task, or itself where it is of none: equal for those of one owner
  std::uint32_t application = 0, stream = 0;
  SmSet sms = {};  ///< on which a launch had blocks
  Cycle submitted = 0, arrived = 0, start = 0, end = 0, notified = 0;
  BlockCounters counters = {};  ///< of a launch
  RequestTimes requests = {};
};

/// An application had the execution engine.
struct EngineTurn {
  std::uint32_t application = 0;
  Cycle start = 0, off = 0;
};

/// Who held a job up: of all that others did there, so large a share was this owner's.
struct HeldUpBy {
  bool known = false;
  bool application = false;  ///< `who` is an application, not an owner
  std::uint32_t who = 0;
  double share = 0;
};

/// A piece of a job's response time.
struct ResponseSegment {
  Cycle from = 0, to = 0;
  ResponsePart part = ResponsePart::kHost;  ///< kExecution: a kernel ran
  std::size_t command = 0;                  ///< in RunHistory::commands; of kHost none
  HeldUpBy by = {};
};

struct ResponseAccount {
  std::vector<ResponseSegment> segments;          ///< in order of time, without gaps
  std::array<Cycle, kResponseParts> cycles = {};  ///< [ResponsePart]; add up to the response time
  std::array<HeldUpBy, kResponseParts> by = {};
};

struct RunHistory {
  std::vector<CommandTimes> commands;
  std::vector<EngineTurn> turns;  ///< empty where applications do not take turns
};

/// Of a job with these commands, released and ended in these cycles. The time in which a kernel ran is divided among the
/// reasons for which its warps waited, by their cycles; the wait for memory by where the requests of the kernel were.
ResponseAccount account(const RunHistory& run, const std::vector<std::size_t>& commands, Cycle released,
                        Cycle notified);

}  // namespace gputlm
