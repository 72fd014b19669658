/// Response times of a run (platform/probes/response_groups.h) in files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/probes/response_groups.h"
#include "platform/run/result.h"

namespace gputlm {

/// A group in files.
struct ResponseRow {
  const char* of;  ///< "application", "task" or "launch"
  const ResponseGroup& group;
  const Workload& workload;

  /// None where no job has ended.
  template <class T>
  static auto some(T Responses::*member) {
    return [member](const ResponseRow& row) {
      return row.group.responses.jobs ? std::optional(row.group.responses.*member) : std::nullopt;
    };
  }

  template <class Visitor>
  static void describe(Visitor& v) {
    using R = ResponseRow;
    constexpr Value kJobs{"jobs"};
    v.field(&R::of, "of", Value{}, "`application`, `task` or `launch`");
    v.field([](const R& r) -> const std::string& { return r.group.name; }, "name", Value{},
            "Of launches that differ in nothing but a number behind their label (`k#1`, `k#2` ...) without it");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.group.application].name; },
            "application", Value{}, "Whose it is");
    v.field([](const R& r) { return r.group.responses.jobs; }, "jobs", kJobs,
            "That ended: jobs of a task, launches, again those of applications that are launched again; of an "
            "application the jobs of its tasks, and its launches that are part of none");
    v.field([](const R& r) { return r.group.deadline; }, "deadline_cycles", kCycles,
            "That each of them has; empty if they have none, or not the same");
    v.field([](const R& r) { return r.group.responses.deadlines; }, "deadlines", kJobs, "That have one");
    v.field([](const R& r) { return r.group.responses.deadlines - r.group.responses.missed; }, "deadlines_met", kJobs,
            "That took no longer");
    v.field(some(&Responses::least), "min_cycles", kCycles, "Of the response times");
    v.field(some(&Responses::mean), "mean_cycles", kCycles, "Their mean");
    v.field(some(&Responses::p50), "p50_cycles", kCycles, "By nearest rank, over all jobs");
    v.field(some(&Responses::p95), "p95_cycles", kCycles, "Likewise");
    v.field(some(&Responses::p99), "p99_cycles", kCycles, "Likewise");
    v.field(some(&Responses::most), "max_cycles", kCycles, "The longest");
    v.field(some(&Responses::worst), "worst", Value{}, "Label of the first that took longest");
  }
};

AllResponses all_responses(const RunResult& result, const Workload& workload, const Clock& clock);

/// Calls `use` with a ResponseRow of each application, then of each task, then of each launch.
template <class Use>
void for_each_response(const AllResponses& all, const Workload& workload, const Use& use) {
  for (const ResponseGroup& group : all.applications) use(ResponseRow{"application", group, workload});
  for (const ResponseGroup& group : all.tasks) use(ResponseRow{"task", group, workload});
  for (const ResponseGroup& group : all.launches) use(ResponseRow{"launch", group, workload});
}

/// responses.csv.
std::string responses_csv(const AllResponses& all, const Workload& workload);

// What became of the levels of criticality in a run: by task and mode responses and deadlines, jobs dropped, and how long the
// mode was hi (models/host/core_modes.cpp).

/// Jobs of a task that were under way in one mode only, or at some time in mode hi.
struct ModeResponses {
  std::uint32_t task = 0;
  bool hi_mode = false;
  std::uint64_t overran = 0;
  std::uint64_t dropped = 0;    ///< did not begin; only in mode hi
  std::uint64_t deadlines = 0;  ///< of those that ended
  std::uint64_t missed = 0;
  std::vector<Cycle> times = {};  ///< responses in ascending order
};

struct CriticalityOutcome {
  std::vector<ModeResponses> responses;  ///< by task, and there mode lo before mode hi
  std::uint64_t changes = 0;             ///< to mode hi
  Cycle hi_mode = 0;                     ///< cycles in it, up to the end of the run

  std::uint64_t missed(const Workload& workload, Criticality level) const;
  std::uint64_t dropped() const;
};

/// Of a workload with modes (Workload::has_modes()).
CriticalityOutcome criticality_outcome(const RunResult& result, const Workload& workload, const Clock& clock);

}  // namespace gputlm
