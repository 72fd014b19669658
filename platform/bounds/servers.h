/// Streams of a workload as servers of jobs, and the parts of a workload that no analysis covers.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"
#include "platform/bounds/analysis.h"
#include "platform/bounds/arrival_curve.h"
#include "tlm/base/time.h"

namespace gputlm {

/// A stream as the analysis sees it.
struct Server {
  /// A job, as indices into the lists of the workload.
  struct Job {
    std::vector<std::uint32_t> launches = {}, copies = {};
  };
  StreamId stream = 0;
  std::optional<std::uint32_t>
      task;  ///< the task whose jobs it serves; none: launches and copies outside jobs, each by itself
  std::vector<Job> jobs = {};
  std::string refused = {};    ///< why its task has no bound: others decide when its jobs continue
  bool comes_together = true;  ///< launches of a job are issued together, with nothing between them
  /// Maximum number of jobs that follow each other on an idle stream without a pause by the host or a copy; kNever: any
  /// number of jobs released in the meantime; none: others decide.
  std::optional<std::uint64_t> in_a_row = kNever;
};

/// One server for each task of each stream, and one for the part of a stream outside jobs.
std::vector<Server> servers_of(const GpuConfig& config, const Workload& workload);

// Maximum time for which an application keeps the execution engine, if it keeps it until none of its streams holds a launch.

/// Demand of one stream of the application. Jobs released while it waits, or has the engine, are served in the same turn.
struct TurnDemand {
  Cycle job = 0;  ///< maximum time for which a job keeps the engine
  ArrivalCurve arrivals = ArrivalCurve::of({0}, false);
  std::uint64_t most_jobs = kNever;  ///< maximum number of jobs per turn, for all arrivals
};
/// Demands of all its streams.
using TurnDemands = std::vector<TurnDemand>;

/// The demands that determine how long a context has the engine; none if others determine it. A pause of a stream ends a turn
/// only if there is no other stream. `servers` are those of the problem's tasks.
std::optional<TurnDemands> turn_of(std::size_t context, const std::vector<Server>& servers,
                                   const BoundProblem& problem);

/// The longest turn of each context, if all take turns on the engine and each waits for at most one turn of every other. A
/// turn is a busy period of its streams, starting with the arrival of work: the least fixed point of
///
///   T_c = sum over streams j of c of most_j(sum over all k of T_k + late) * job_j
///
/// where most_j() are the arrivals and `late` the time by which arrivals may be closer together at the engine than at their
/// release; compare busy periods of processors in Lehoczky, "Fixed Priority Scheduling of Periodic Task Sets with Arbitrary
/// Deadlines", RTSS 1990. None if a turn does not end: then no context has a bound, since each waits for each.
std::optional<std::vector<Cycle>> longest_turns(const std::vector<TurnDemands>& contexts, Cycle late);
/// Maximum wait of each context for one turn of every other, with a cycle between two turns.
std::optional<std::vector<Cycle>> waits_for_others(const std::vector<TurnDemands>& contexts, Cycle late);

}  // namespace gputlm
