#include "platform/run/responses.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "platform/files/csv.h"

namespace gputlm {
namespace {

/// A group whose jobs are being collected.
class Collection {
 public:
  explicit Collection(ResponseGroup group) : group_(std::move(group)) {}
  template <class Label>
  void add(Cycle time, std::optional<Cycle> deadline, Label label) {
    Responses& r = group_.responses;
    if (times_.empty() || time > r.most) {
      r.most = time;
      r.worst = label();
    }
    times_.push_back(time);
    if (deadline) {
      ++r.deadlines;
      r.missed += time > *deadline;
    }
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
    return std::move(group_);
  }

 private:
  ResponseGroup group_;
  std::vector<Cycle> times_;
};

std::vector<ResponseGroup> ended(std::vector<Collection>& collections) {
  std::vector<ResponseGroup> groups;
  groups.reserve(collections.size());
  for (Collection& collection : collections) groups.push_back(collection.end());
  return groups;
}

/// "LABEL#3" without its number.
std::string without_number(const std::string& label) {
  const std::size_t last = label.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < label.size() && last > 0 && label[last] == '#' ? label.substr(0, last)
                                                                                                : label;
}

/// The groups that launches belong to.
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
      const auto deadline = launch.deadline ? std::optional(clock.at_or_before(*launch.deadline)) : std::nullopt;
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
  std::vector<std::size_t> of_;  ///< by launch
};

void write(fmt::memory_buffer& text, const char* of, const ResponseGroup& group, const Workload& workload) {
  const Responses& r = group.responses;
  fmt::format_to(std::back_inserter(text), "{},", of);
  write_csv_field(text, group.name);
  text.push_back(',');
  write_csv_field(text, workload.applications[group.application].name);
  fmt::format_to(std::back_inserter(text), ",{},", r.jobs);
  if (group.deadline) fmt::format_to(std::back_inserter(text), "{}", *group.deadline);
  fmt::format_to(std::back_inserter(text), ",{},{},", r.deadlines, r.deadlines - r.missed);
  if (r.jobs > 0)
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},", r.least, r.mean, r.p50, r.p95, r.p99, r.most);
  else
    text.append(std::string_view(",,,,,,"));
  write_csv_field(text, r.worst);
  text.push_back('\n');
}

}  // namespace

AllResponses all_responses(const RunResult& result, const Workload& workload, const Clock& clock) {
  std::vector<Collection> applications, tasks;
  for (std::size_t a = 0; a < workload.applications.size(); ++a)
    applications.emplace_back(ResponseGroup{workload.applications[a].name, static_cast<ApplicationId>(a)});
  for (const TaskSpec& task : workload.tasks) {
    const auto deadline = task.deadline ? std::optional(clock.at_or_before(*task.deadline)) : std::nullopt;
    tasks.emplace_back(ResponseGroup{task.name, task.application, deadline});
  }
  LaunchGroups launches(workload, clock);
  for (const JobRecord& job : result.jobs) {
    const std::uint32_t task = workload.jobs[job.job].task;
    const auto& limit = workload.tasks[task].deadline;
    const auto deadline = limit ? std::optional(clock.at_or_before(*limit)) : std::nullopt;
    const auto label = [&] { return job_label(workload, job.job, job.iteration); };
    for (Collection* jobs : {&tasks[task], &applications[workload.tasks[task].application]})
      jobs->add(job.notified - job.released, deadline, label);
  }
  for (const KernelRecord& kernel : result.kernels) {
    const LaunchCommand& launch = workload.launches[kernel.command];
    const auto deadline = launch.deadline ? std::optional(clock.at_or_before(*launch.deadline)) : std::nullopt;
    const auto label = [&] { return launch_label(workload, kernel.command, kernel.iteration); };
    const Cycle time = kernel.notified - kernel.released;
    launches.of(kernel.command).add(time, deadline, label);
    if (!launch.job) applications[workload.streams[launch.stream].application].add(time, deadline, label);
  }
  return {ended(applications), ended(tasks), ended(launches.collections)};
}

std::string responses_csv(const AllResponses& all, const Workload& workload) {
  fmt::memory_buffer text;
  text.append(
      std::string_view("of,name,application,jobs,deadline_cycles,deadlines,deadlines_met,min_cycles,mean_cycles,"
                       "p50_cycles,p95_cycles,p99_cycles,max_cycles,worst\n"));
  for (const ResponseGroup& group : all.applications) write(text, "application", group, workload);
  for (const ResponseGroup& group : all.tasks) write(text, "task", group, workload);
  for (const ResponseGroup& group : all.launches) write(text, "launch", group, workload);
  return fmt::to_string(text);
}

}  // namespace gputlm
