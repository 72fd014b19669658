/// How long an application has the execution engine at most, where it keeps it until none of its streams holds a launch.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/bounds/analysis.h"
#include "platform/bounds/arrival_curve.h"
#include "platform/bounds/servers.h"
#include "tlm/time.h"

namespace gputlm {

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
