/// Response times of a run (platform/probes/response_groups.h) as they are written to files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/host/workload.h"
#include "platform/probes/response_groups.h"
#include "platform/run/result.h"

namespace gputlm {

/// A response group in a file.
struct ResponseRow {
  const char* of;  ///< "application", "task" or "launch"
  const ResponseGroup& group;
  const Workload& workload;

  /// None if no job has ended.
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
            "Its name; launches whose labels differ only in the number at the end (`k#1`, `k#2` ...) are one, without "
            "the number");
    v.field([](const R& r) -> const std::string& { return r.workload.applications[r.group.application].name; },
            "application", Value{}, "Name of its application");
    v.field([](const R& r) { return r.group.responses.jobs; }, "jobs", kJobs,
            "Number that ended: jobs of a task, or launches, repetitions included; for an application the jobs of its "
            "tasks and its launches outside jobs");
    v.field([](const R& r) { return r.group.deadline; }, "deadline_cycles", kCycles,
            "Deadline of each of them; empty if they have none or different ones");
    v.field([](const R& r) { return r.group.responses.deadlines; }, "deadlines", kJobs, "Number that have a deadline");
    v.field([](const R& r) { return r.group.responses.deadlines - r.group.responses.missed; }, "deadlines_met", kJobs,
            "Number that met their deadline");
    v.field(some(&Responses::least), "min_cycles", kCycles, "Shortest response time");
    v.field(some(&Responses::mean), "mean_cycles", kCycles, "Mean response time");
    v.field(some(&Responses::p50), "p50_cycles", kCycles, "Median response time, by nearest rank, over all jobs");
    v.field(some(&Responses::p95), "p95_cycles", kCycles, "95th percentile of the response times");
    v.field(some(&Responses::p99), "p99_cycles", kCycles, "99th percentile of the response times");
    v.field(some(&Responses::most), "max_cycles", kCycles, "Longest response time");
    v.field(some(&Responses::worst), "worst", Value{}, "Label of the first with the longest response time");
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

// The outcome of the criticality levels of a run: responses and deadlines by task and mode, dropped jobs, and the time spent
// in mode hi (models/host/core_modes.cpp).

/// Jobs of a task that ran in mode lo only, or that were active at some time in mode hi.
struct ModeResponses {
  std::uint32_t task = 0;
  bool hi_mode = false;
  std::uint64_t overran = 0;
  std::uint64_t dropped = 0;    ///< jobs that did not begin; only in mode hi
  std::uint64_t deadlines = 0;  ///< number of jobs with a deadline that have ended
  std::uint64_t missed = 0;
  std::vector<Cycle> times = {};  ///< responses in ascending order
};

struct CriticalityOutcome {
  std::vector<ModeResponses> responses;  ///< two for each task, mode lo before mode hi
  std::uint64_t changes = 0;             ///< number of changes to mode hi
  Cycle hi_mode = 0;                     ///< cycles in mode hi, up to the end of the run

  std::uint64_t missed(const Workload& workload, Criticality level) const;
  std::uint64_t dropped() const;
};

/// Requires a workload with modes (Workload::has_modes()).
CriticalityOutcome criticality_outcome(const RunResult& result, const Workload& workload, const Clock& clock);

}  // namespace gputlm
