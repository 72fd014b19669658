/// Streams of a workload as servers of jobs, and what of a workload no analysis is about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/bounds/analysis.h"
#include "platform/bounds/arrival_curve.h"
#include "tlm/time.h"

namespace gputlm {

/// What a stream does, as the analysis sees it.
struct Server {
  /// By place in the workload.
  struct Job {
    std::vector<std::uint32_t> launches = {}, copies = {};
  };
  StreamId stream = 0;
  std::optional<std::uint32_t>
      task;  ///< whose jobs it serves; none: launches and copies that are no job's, each for itself
  std::vector<Job> jobs = {};
  std::string refused = {};    ///< why its task has no bound: others decide when its jobs go on
  bool comes_together = true;  ///< launches of a job are issued at once, nothing else between them
  /// Jobs of a stream that has been without work follow each other without a pause, that the host or a copy makes: so many
  /// at most, kNever if any number of those that are released meanwhile, none if others decide.
  std::optional<std::uint64_t> in_a_row = kNever;
};

/// One for each task of each stream, and one for what of a stream is no job's.
std::vector<Server> servers_of(const GpuConfig& config, const Workload& workload);

// How long an application has the execution engine at most, where it keeps it until none of its streams holds a launch.

/// Of a stream of the application. What is released while it waits, or has the engine, is served in the same turn.
struct TurnDemand {
  Cycle job = 0;  ///< that each keeps the engine at most
  ArrivalCurve arrivals = ArrivalCurve::of({0}, false);
  std::uint64_t most_jobs = kNever;  ///< of a turn, whatever comes
};
/// Of all its streams.
using TurnDemands = std::vector<TurnDemand>;

/// What decides how long a context has the engine, none if others decide: that a stream pauses ends a turn only where
/// there is no other stream. `servers` are those of the problem's tasks.
std::optional<TurnDemands> turn_of(std::size_t context, const std::vector<Server>& servers,
                                   const BoundProblem& problem);

/// The longest turn of each, where all have the engine by turns and each waits for one of each other at most. A turn is a
/// busy period of its streams, from when work came: the least fixed point of
///
///   T_c = sum over streams j of c of most_j(sum over all k of T_k + late) * job_j
///
/// with most_j() the arrivals, and `late` what they may be nearer at the engine than when they were released; as for busy
/// periods of processors in Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary Deadlines", RTSS 1990.
/// None where it does not end: of all then, as each waits for each.
std::optional<std::vector<Cycle>> longest_turns(const std::vector<TurnDemands>& contexts, Cycle late);
/// What each waits at most for a turn of each other, a cycle between two of them.
std::optional<std::vector<Cycle>> waits_for_others(const std::vector<TurnDemands>& contexts, Cycle late);

}  // namespace gputlm
