/// Explains a job's response time: its parts, and who else was active. Plain functions over the records of a run;
/// platform/probes/responses.cpp makes the records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/block_counters.h"
#include "models/kernel/launch.h"
#include "tlm/base/counters.h"
#include "tlm/base/time.h"

namespace gputlm {

/// What a job spends its response time on: one part per cycle. If several of its commands are active, the furthest one
/// counts: a running command, else a waiting one, else one in transit.
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

/// Where a launch's requests to the L2 spent time, summed over the requests; core cycles.
struct RequestTimes {
  std::uint64_t to_l2 = 0;  ///< time from the SM to the slice's queue
  std::uint64_t in_l2 = 0;  ///< time in that queue and, without a wait for DRAM, until the reply left
  std::uint64_t fetch = 0;  ///< time of requests that waited for DRAM: from the queue until the reply left
};

/// A launch or copy that has ended.
struct CommandTimes {
  bool copy = false;
  std::uint32_t command = 0, iteration = 0;  ///< command: index in Workload::launches or Workload::copies
  std::uint32_t owner = 0;  ///< its task, or itself if it has none: equal for all commands of one owner
  std::uint32_t application = 0, stream = 0;
  SmSet sms = {};  ///< SMs on which a launch had blocks
  Cycle submitted = 0, arrived = 0, start = 0, end = 0, notified = 0;
  BlockCounters counters = {};  ///< counters of a launch
  RequestTimes requests = {};
};

/// An interval in which an application had the execution engine.
struct EngineTurn {
  std::uint32_t application = 0;
  Cycle start = 0, off = 0;
};

/// Who delayed a job: this owner's share of all the work of others there.
struct HeldUpBy {
  bool known = false;
  bool application = false;  ///< `who` is an application and not an owner
  std::uint32_t who = 0;
  double share = 0;
};

/// A piece of a job's response time.
struct ResponseSegment {
  Cycle from = 0, to = 0;
  ResponsePart part = ResponsePart::kHost;  ///< kExecution: a kernel ran
  std::size_t command = 0;                  ///< index in RunHistory::commands; unused for kHost
  HeldUpBy by = {};
};

struct ResponseAccount {
  std::vector<ResponseSegment> segments;          ///< in the order of time, without gaps
  std::array<Cycle, kResponseParts> cycles = {};  ///< cycles of each ResponsePart; their sum is the response time
  std::array<HeldUpBy, kResponseParts> by = {};
};

struct RunHistory {
  std::vector<CommandTimes> commands;
  std::vector<EngineTurn> turns;  ///< empty if applications do not take turns
};

/// Explains a job with these commands, released and ended in these cycles. The time in which a kernel ran is divided by the
/// cycles that its warps waited for each reason, and the wait for memory by where the kernel's requests spent time.
ResponseAccount account(const RunHistory& run, const std::vector<std::size_t>& commands, Cycle released,
                        Cycle notified);

}  // namespace gputlm
