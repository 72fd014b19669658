/// Response times: from the release of a job, whether or not its thread and stream are free, until the host notices its end.
/// Exact: every job counts.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platform/probes/records.h"

namespace gputlm {

/// Response times of several jobs; core cycles.
struct Responses {
  std::uint64_t jobs = 0;       ///< jobs that ended
  std::uint64_t deadlines = 0;  ///< jobs with a deadline
  std::uint64_t missed = 0;     ///< jobs that missed their deadline
  Cycle least = 0, most = 0;
  Cycle p50 = 0, p95 = 0, p99 = 0;  ///< percentiles by nearest rank
  double mean = 0;
  std::string worst;  ///< label of the first of the longest jobs
};

/// The group of jobs to which response times belong.
struct ResponseGroup {
  std::string name;
  ApplicationId application = 0;
  std::optional<Cycle> deadline = std::nullopt;  ///< common deadline of the jobs
  Responses responses = {};
  std::vector<Cycle> times = {};  ///< response times of all its jobs, in ascending order
};

struct AllResponses {
  /// In the order of the workload. Jobs of an application are those of its tasks, and its launches outside jobs.
  std::vector<ResponseGroup> applications;
  std::vector<ResponseGroup> tasks;
  /// Launches whose labels differ only in the number at the end form one group.
  std::vector<ResponseGroup> launches;
};

/// Sorts jobs and launches that have ended into groups. `workload` must outlive it.
class ResponseCollector {
 public:
  ResponseCollector(const Workload& workload, const Clock& clock);
  ~ResponseCollector();
  void add(const JobEnded& job);
  void add(const KernelRecord& kernel);
  /// Call it once, after the last end.
  AllResponses end();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// The confidence interval of a quantile from a sample of any distribution: with a given confidence the quantile lies
// between two of the sorted values (order statistics; David and Nagaraja, "Order Statistics", 3rd edition, section 7.1).
// Assumes independent values.

/// A quantile as a fraction, so that ranks are exact: 999 / 1000 is the 99.9th percentile.
struct Quantile {
  std::uint32_t numerator = 1, denominator = 2;
  double value() const { return static_cast<double>(numerator) / denominator; }
};

/// The least rank, from 1, such that at least this share of `count` values is not larger (nearest rank); `count` > 0.
std::uint64_t nearest_rank(std::uint64_t count, Quantile quantile);

/// Ranks, from 1, of two of `count` values in ascending order.
struct RankInterval {
  std::uint64_t low = 0, high = 0;
};

/// The closest ranks between which the quantile lies with a probability of at least `confidence`, with at most half of the
/// rest beyond each of them. None if there are too few values.
std::optional<RankInterval> quantile_ranks(std::uint64_t count, Quantile quantile, double confidence);

/// The least number of values for which such ranks exist.
std::uint64_t values_needed(Quantile quantile, double confidence);

}  // namespace gputlm
