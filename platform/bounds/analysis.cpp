#include "platform/bounds/analysis.h"

#include <algorithm>
#include <numeric>

namespace gputlm {
namespace {

/// Number of cycles beyond any run. A larger fixed point counts as no bound.
constexpr Cycle kLongest = Cycle{1} << 52;
/// Maximum iterations of a fixed point, each of which adds at least one job.
constexpr unsigned kMostSteps = 1000000;
constexpr double kRounding = 1e-9;  // tolerance of sums of utilisations

Cycle all_of(const BoundTask& task) {
  return std::accumulate(task.kernels.begin(), task.kernels.end(), Cycle{0},
                         [](Cycle sum, const BoundKernel& k) { return sum + k.time; });
}

Cycle longest(const BoundTask& task, Cycle BoundKernel::*what) {
  Cycle most = 0;
  for (const BoundKernel& kernel : task.kernels) most = std::max(most, kernel.*what);
  return most;
}

class OneTask {
 public:
  OneTask(const BoundProblem& problem, std::size_t task, const std::vector<ResponseBound>& known)
      : problem_(problem), task_(problem.tasks[task]), supply_(problem.contexts[task_.context]), known_(known) {
    for (std::size_t t = 0; t < problem.tasks.size(); ++t) {
      const BoundTask& other = problem.tasks[t];
      if (other.context != task_.context) continue;
      longest_block_ = std::max(longest_block_, longest(other, &BoundKernel::block));
      if (t == task) continue;
      if (other.level > task_.level) blocking_ = std::max(blocking_, longest(other, &BoundKernel::block));
      if (other.level == task_.level) before_ += longest(other, &BoundKernel::time);
      if (other.level < task_.level) urgent_.push_back(t);
    }
  }

  ResponseBound bound() const {
    if (!task_.refused.empty()) return {std::nullopt, "no analysis: " + task_.refused};
    for (const std::size_t u : urgent_) {
      if (!known_[u].cycles) return {std::nullopt, "unbounded: a more urgent task has no bound"};
      if (problem_.tasks[u].dropped && !task_.in_lo_mode)
        return {std::nullopt, "unbounded: it has no bound in mode lo"};
    }
    const double share = supply_.share();
    double used = task_.arrivals.rate() * static_cast<double>(all_of(task_));
    for (const std::size_t u : urgent_) {
      if (!problem_.tasks[u].dropped)
        used += problem_.tasks[u].arrivals.rate() * static_cast<double>(all_of(problem_.tasks[u]));
    }
    if (used > share + kRounding)
      return {std::nullopt,
              share < 1 ? "unbounded: utilisation above its share of the time" : "unbounded: utilisation above 1"};
    Cycle service = task_.alone + task_.copies_wait;
    for (const BoundKernel& kernel : task_.kernels) {
      const std::optional<Cycle> end = end_of(kernel);
      if (!end) return {std::nullopt, "unbounded: more urgent jobs come faster than they end at worst"};
      service += *end - kernel.time + problem_.slack;
    }
    if (task_.comes_together && task_.kernels.size() > 1 && !supply_.gaps.empty()) {
      if (const std::optional<Cycle> end = end_of_job()) service = std::min(service, *end + task_.copies_wait);
    }
    return with_backlog(service);
  }

 private:
  /// Worst-case time from a kernel's arrival; none if there is no bound.
  std::optional<Cycle> end_of(const BoundKernel& kernel) const {
    return end_of(kernel.time, 1, kernel.beyond_budget ? 0 : task_.in_lo_mode.value_or(kNever));
  }
  /// Worst-case time of all kernels of a job, from its release.
  std::optional<Cycle> end_of_job() const {
    const Cycle kernels = task_.kernels.size();
    return end_of(task_.alone + kernels * problem_.slack, kernels, task_.in_lo_mode.value_or(kNever));
  }
  /// End of `kernels` kernels that take `alone` in total and each wait for others. `in_lo_mode`: latest time of a change of
  /// mode.
  std::optional<Cycle> end_of(Cycle alone, Cycle kernels, Cycle in_lo_mode) const {
    Cycle end = alone;
    for (unsigned step = 0; step < kMostSteps && end < kLongest; ++step) {
      Cycle demand = alone + kernels * (blocking_ + before_);
      for (const std::size_t u : urgent_) {
        const BoundTask& other = problem_.tasks[u];
        const Cycle window = other.dropped ? std::min(end, in_lo_mode) + problem_.slack : end;
        const std::uint64_t jobs = other.arrivals.most(window + *known_[u].cycles);
        if (jobs > kLongest / (all_of(other) + other.kernels.size() * longest_block_ + 1)) return std::nullopt;
        demand += jobs * (all_of(other) + other.kernels.size() * longest_block_);
      }
      if (demand > kLongest) return std::nullopt;
      const Cycle next = supply_.end_of(demand);
      if (next == end) return end;
      end = next;
    }
    return std::nullopt;
  }

  /// Bound for a backlog of jobs that each take at most `service`, one after the other.
  ResponseBound with_backlog(Cycle service) const {
    if (!task_.arrivals.sustained(service))
      return {std::nullopt, "unbounded: a job takes longer at worst than until the next comes"};
    Cycle most = service, ends = service;
    for (std::uint64_t q = 2; task_.arrivals.distance(q) < ends; ++q) {
      ends += service;
      most = std::max(most, ends - task_.arrivals.distance(q));
    }
    return {most};
  }

  const BoundProblem& problem_;
  const BoundTask& task_;
  const Supply& supply_;
  const std::vector<ResponseBound>& known_;
  std::vector<std::size_t> urgent_;  ///< more urgent tasks of the context
  Cycle longest_block_ = 0;          ///< time of the longest block in the context
  Cycle blocking_ = 0;               ///< time for which less urgent tasks block it
  Cycle before_ = 0;                 ///< time for kernels of its own level
};

}  // namespace

std::vector<ResponseBound> response_bounds(const BoundProblem& problem) {
  std::vector<std::size_t> order(problem.tasks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return problem.tasks[a].level < problem.tasks[b].level; });
  std::vector<ResponseBound> bounds(problem.tasks.size());
  for (const std::size_t task : order) {
    if (problem.tasks[task].dropped && problem.tasks[task].in_lo_mode) {
      bounds[task] = {problem.tasks[task].in_lo_mode};
    } else {
      bounds[task] = OneTask(problem, task, bounds).bound();
    }
  }
  return bounds;
}

}  // namespace gputlm
