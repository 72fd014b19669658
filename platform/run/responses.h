/// Response times: from the release of a job, whether or not its thread and stream were free, until the host knows of its
/// end. Exact: no sample is left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/run/result.h"

namespace gputlm {

/// Of several jobs; core cycles.
struct Responses {
  std::uint64_t jobs = 0;       ///< that have ended
  std::uint64_t deadlines = 0;  ///< jobs that have one
  std::uint64_t missed = 0;     ///< those of them that took longer
  Cycle least = 0, most = 0;
  Cycle p50 = 0, p95 = 0, p99 = 0;  ///< the least that so many per cent of the jobs do not exceed (nearest rank)
  double mean = 0;
  std::string worst;  ///< label of the first of those that took longest
};

/// Whose jobs they are.
struct ResponseGroup {
  std::string name;
  ApplicationId application = 0;
  std::optional<Cycle> deadline = std::nullopt;  ///< that each of them has
  Responses responses = {};
};

/// A group in files.
struct ResponseRow {
  const char* of;  ///< "application", "task" or "launch"
  const ResponseGroup& group;
  const Workload& workload;

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

 private:
  /// None where no job has ended.
  template <class T>
  static auto some(T Responses::*member) {
    return [member](const ResponseRow& row) {
      return row.group.responses.jobs ? std::optional(row.group.responses.*member) : std::nullopt;
    };
  }
};

struct AllResponses {
  /// In the order of the workload. Jobs of an application are those of its tasks, and its launches that are no job's.
  std::vector<ResponseGroup> applications;
  std::vector<ResponseGroup> tasks;
  /// Launches that differ in nothing but the number behind their label are one.
  std::vector<ResponseGroup> launches;
};

AllResponses all_responses(const RunResult& result, const Workload& workload, const Clock& clock);

/// responses.csv.
std::string responses_csv(const AllResponses& all, const Workload& workload);

}  // namespace gputlm
