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

// What a sample says of a quantile of the distribution that it comes from, whatever that is: between two of the values, in
// their order, the quantile lies with a given confidence (order statistics; David and Nagaraja, "Order Statistics", 3rd
// edition, section 7.1). Holds for values that are independent of each other.

/// As a fraction, so that the rank of a value is exact: 999 / 1000 is the 99.9th percentile.
struct Quantile {
  std::uint32_t numerator = 1, denominator = 2;
  double value() const { return static_cast<double>(numerator) / denominator; }
};

/// The least rank, from 1, of which as large a share of `count` values has none that is larger (nearest rank); `count` > 0.
std::uint64_t nearest_rank(std::uint64_t count, Quantile quantile);

/// Ranks of two of `count` values in ascending order, from 1.
struct RankInterval {
  std::uint64_t low = 0, high = 0;
};

/// The quantile lies between the two with a probability of at least `confidence`, and beyond each of them with at most half
/// of what is left; the closest such ranks. None where there are too few values.
std::optional<RankInterval> quantile_ranks(std::uint64_t count, Quantile quantile, double confidence);

/// From so many values on there are such ranks.
std::uint64_t values_needed(Quantile quantile, double confidence);

}  // namespace gputlm
