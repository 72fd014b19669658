/// Response times: from the release of a job, whether or not its thread and stream were free, until the host knows of its
/// end. Exact: no sample is left out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/probes/records.h"

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
  std::vector<Cycle> times = {};  ///< of all of its jobs, in ascending order
};

struct AllResponses {
  /// In the order of the workload. Jobs of an application are those of its tasks, and its launches that are no job's.
  std::vector<ResponseGroup> applications;
  std::vector<ResponseGroup> tasks;
  /// Launches that differ in nothing but the number behind their label are one.
  std::vector<ResponseGroup> launches;
};

/// Sorts jobs and launches that have ended into their groups. `workload` must outlive it.
class ResponseCollector {
 public:
  ResponseCollector(const Workload& workload, const Clock& clock);
  ~ResponseCollector();
  void add(const JobEnded& job);
  void add(const KernelRecord& kernel);
  /// To be called once, when nothing else ends.
  AllResponses end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gputlm
