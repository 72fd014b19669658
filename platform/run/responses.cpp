#include "platform/run/responses.h"

#include <algorithm>
#include <numeric>

namespace gputlm {

std::vector<Responses> responses(const RunResult& result, const Workload& workload, const Clock& clock) {
  std::vector<Responses> all(workload.tasks.size());
  std::vector<std::vector<Cycle>> times(workload.tasks.size());
  for (const JobRecord& job : result.jobs) {
    const std::uint32_t task = workload.jobs[job.job].task;
    const Cycle time = job.notified - job.released;
    if (times[task].empty() || time > all[task].most) {
      all[task].most = time;
      all[task].worst = job;
    }
    times[task].push_back(time);
    const auto& deadline = workload.tasks[task].deadline;
    if (deadline && time > clock.at_or_before(*deadline)) ++all[task].missed;
  }
  for (std::size_t t = 0; t < all.size(); ++t) {
    std::vector<Cycle>& sorted = times[t];
    if (sorted.empty()) continue;
    std::sort(sorted.begin(), sorted.end());
    Responses& r = all[t];
    const auto rank = [&](std::size_t percent) { return sorted[(sorted.size() * percent + 99) / 100 - 1]; };
    r.jobs = sorted.size();
    r.least = sorted.front();
    r.p50 = rank(50);
    r.p95 = rank(95);
    r.p99 = rank(99);
    r.mean = static_cast<double>(std::accumulate(sorted.begin(), sorted.end(), Cycle{0})) /
             static_cast<double>(sorted.size());
  }
  return all;
}

}  // namespace gputlm
