#include "platform/probes/response_groups.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

namespace gputlm {
namespace {

// Only double: long double differs between machines.
using Policy = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
using Binomial = boost::math::binomial_distribution<double, Policy>;

}  // namespace

namespace response_groups_detail {  // not anonymous: State, which a header declares, contains these

/// A group whose jobs are being collected.
class Collection {
 public:
  explicit Collection(ResponseGroup group) : group_(std::move(group)) {}
  template <class Label>
  void add(const Response& response, Label label) {
    Responses& r = group_.responses;
    if (times_.empty() || response.cycles > r.most) {
      r.most = response.cycles;
      r.worst = label();
    }
    times_.push_back(response.cycles);
    r.deadlines += response.deadline.has_value();
    r.missed += !response.met().value_or(true);
  }
  ResponseGroup end() {
    Responses& r = group_.responses;
    r.jobs = times_.size();
    if (times_.empty()) return std::move(group_);
    std::sort(times_.begin(), times_.end());
    const auto rank = [&](std::size_t percent) { return times_[(times_.size() * percent + 99) / 100 - 1]; };
    r.least = times_.front();
    r.p50 = rank(50);
    r.p95 = rank(95);
    r.p99 = rank(99);
    r.mean = static_cast<double>(std::accumulate(times_.begin(), times_.end(), Cycle{0})) /
             static_cast<double>(times_.size());
    group_.times = std::move(times_);
    return std::move(group_);
  }

 private:
  ResponseGroup group_;
  std::vector<Cycle> times_;
};

inline std::vector<ResponseGroup> ended(std::vector<Collection>& collections) {
  std::vector<ResponseGroup> groups;
  groups.reserve(collections.size());
  for (Collection& collection : collections) groups.push_back(collection.end());
  return groups;
}

/// "LABEL#3" without its number.
inline std::string without_number(const std::string& label) {
  const std::size_t last = label.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < label.size() && last > 0 && label[last] == '#' ? label.substr(0, last)
                                                                                                : label;
}

/// The groups of launches.
class LaunchGroups {
 public:
  LaunchGroups(const Workload& workload, const Clock& clock) {
    std::map<std::pair<ApplicationId, std::string>, std::size_t> known;
    std::vector<ResponseGroup> groups;
    std::vector<std::size_t> size;
    for (const LaunchCommand& launch : workload.launches) {
      const ApplicationId application = workload.streams[launch.stream].application;
      const std::string name = without_number(launch.label);
      const auto [at, added] = known.try_emplace({application, name}, groups.size());
      const auto deadline = Response::deadline_cycles(launch.deadline, clock);
      if (added) {
        groups.push_back({launch.label, application, deadline});
        size.push_back(0);
      }
      ResponseGroup& group = groups[at->second];
      if (++size[at->second] > 1) group.name = name;
      if (group.deadline != deadline) group.deadline.reset();
      of_.push_back(at->second);
    }
    for (ResponseGroup& group : groups) collections.emplace_back(std::move(group));
  }
  Collection& of(std::uint32_t command) { return collections[of_[command]]; }

  std::vector<Collection> collections;

 private:
  std::vector<std::size_t> of_;  ///< index of the collection of each launch
};

}  // namespace response_groups_detail

using response_groups_detail::Collection;

struct ResponseCollector::State {
  State(const Workload& w, const Clock& c) : workload(w), clock(c), launches(w, c) {
    for (std::size_t a = 0; a < workload.applications.size(); ++a)
      applications.emplace_back(ResponseGroup{workload.applications[a].name, static_cast<ApplicationId>(a)});
    for (const TaskSpec& task : workload.tasks)
      tasks.emplace_back(ResponseGroup{task.name, task.application, Response::deadline_cycles(task.deadline, clock)});
  }
  const Workload& workload;
  const Clock clock;
  std::vector<Collection> applications, tasks;
  response_groups_detail::LaunchGroups launches;
};

ResponseCollector::ResponseCollector(const Workload& workload, const Clock& clock)
    : state_(std::make_unique<State>(workload, clock)) {}
ResponseCollector::~ResponseCollector() = default;

void ResponseCollector::add(const JobEnded& job) {
  const JobRow row{job, state_->workload, state_->clock};
  const auto label = [&] { return job_label(state_->workload, job.job, job.iteration); };
  for (Collection* jobs :
       {&state_->tasks[state_->workload.jobs[job.job].task], &state_->applications[row.task().application]})
    jobs->add(row.response(), label);
}

void ResponseCollector::add(const KernelRecord& kernel) {
  const KernelRow row{kernel, state_->workload, state_->clock};
  const auto label = [&] { return launch_label(state_->workload, kernel.command, kernel.iteration); };
  state_->launches.of(kernel.command).add(row.response(), label);
  if (!row.launch().job) state_->applications[row.stream().application].add(row.response(), label);
}

AllResponses ResponseCollector::end() {
  using response_groups_detail::ended;
  return {ended(state_->applications), ended(state_->tasks), ended(state_->launches.collections)};
}

std::uint64_t nearest_rank(std::uint64_t count, Quantile quantile) {
  return (count * quantile.numerator + quantile.denominator - 1) / quantile.denominator;
}

std::optional<RankInterval> quantile_ranks(std::uint64_t count, Quantile quantile, double confidence) {
  if (count < values_needed(quantile, confidence)) return std::nullopt;
  // The number of values below the quantile is binomially distributed. The value of rank r is above the quantile if fewer
  // than r are below, and below it if at least r are.
  const Binomial below(static_cast<double>(count), quantile.value());
  const double tail = (1 - confidence) / 2;
  const auto fewer = [&](std::uint64_t rank) { return cdf(below, static_cast<double>(rank - 1)); };
  const auto as_many = [&](std::uint64_t rank) { return cdf(complement(below, static_cast<double>(rank - 1))); };
  // Both are monotonic in the rank: bisection.
  std::uint64_t low = 1, beyond = count + 1;  // fewer(low) <= tail < fewer(beyond)
  while (beyond - low > 1) {
    const std::uint64_t middle = low + (beyond - low) / 2;
    (fewer(middle) <= tail ? low : beyond) = middle;
  }
  std::uint64_t before = 0, high = count;  // as_many(high) <= tail < as_many(before)
  while (high - before > 1) {
    const std::uint64_t middle = before + (high - before) / 2;
    (as_many(middle) <= tail ? high : before) = middle;
  }
  return RankInterval{low, high};
}

std::uint64_t values_needed(Quantile quantile, double confidence) {
  // The smallest value is above the quantile, or the largest below it, with at most the tail's probability.
  const double rarer = std::max(quantile.value(), 1 - quantile.value());
  return static_cast<std::uint64_t>(std::ceil(std::log((1 - confidence) / 2) / std::log(rarer)));
}

}  // namespace gputlm
