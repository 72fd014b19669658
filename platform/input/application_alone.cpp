#include "platform/input/application_alone.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace gputlm {
namespace {

/// Maps the indices of kept entries of a list, from the old list to the new one.
using Places = std::map<std::uint32_t, std::uint32_t>;

template <class T, class Test>
Places keep(const std::vector<T>& all, std::vector<T>& kept, Test test) {
  Places places;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!test(all[i])) continue;
    places.emplace(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(kept.size()));
    kept.push_back(all[i]);
  }
  return places;
}

/// Keeps only the entries of one application, which is then the only application.
template <class T>
Places keep_of(ApplicationId application, const std::vector<T>& all, std::vector<T>& kept) {
  Places places = keep(all, kept, [=](const T& item) { return item.application == application; });
  for (T& item : kept) item.application = 0;
  return places;
}

struct Kept {
  Places streams, launches, copies, events, jobs;
};

void name_what_is_kept(HostCall& call, const Kept& kept) {
  using Kind = HostCall::Kind;
  if (call.has_stream() || call.kind == Kind::kSynchronizeStream)
    call.stream = static_cast<StreamId>(kept.streams.at(call.stream));
  switch (call.kind) {
    case Kind::kLaunch: call.what = kept.launches.at(call.what); break;
    case Kind::kCopy: call.what = kept.copies.at(call.what); break;
    case Kind::kRecordEvent:
    case Kind::kWaitEvent:
    case Kind::kSynchronizeEvent: call.what = kept.events.at(call.what); break;
    case Kind::kReleaseJob: call.what = kept.jobs.at(call.what); break;
    default: break;  // refers to nothing in the workload
  }
}

/// Renumbers the phases of launches and jobs without gaps.
void close_gaps_of_phases(Workload& workload) {
  std::set<unsigned> phases;
  for (const LaunchCommand& launch : workload.launches) phases.insert(launch.phase);
  for (const JobSpec& job : workload.jobs) phases.insert(job.phase);
  const auto place = [&](unsigned phase) {
    return static_cast<unsigned>(std::distance(phases.begin(), phases.find(phase)));
  };
  for (LaunchCommand& launch : workload.launches) launch.phase = place(launch.phase);
  for (JobSpec& job : workload.jobs) job.phase = place(job.phase);
}

}  // namespace

Workload application_alone(const Workload& workload, ApplicationId application) {
  Workload alone;
  alone.applications = {workload.applications.at(application)};
  alone.applications.front().sms.reset();
  alone.applications.front().relaunch = false;
  alone.managed = workload.managed;
  Kept kept;
  kept.streams = keep_of(application, workload.streams, alone.streams);
  kept.events = keep_of(application, workload.events, alone.events);
  const Places tasks = keep_of(application, workload.tasks, alone.tasks);
  kept.jobs = keep(workload.jobs, alone.jobs, [&](const JobSpec& job) { return tasks.count(job.task) > 0; });
  for (JobSpec& job : alone.jobs) job.task = tasks.at(job.task);
  const auto is_kept = [&](const auto& command) { return kept.streams.count(command.stream) > 0; };
  const auto name_anew = [&](auto& commands) {
    for (auto& command : commands) {
      command.stream = static_cast<StreamId>(kept.streams.at(command.stream));
      if (command.job) command.job = kept.jobs.at(*command.job);
    }
  };
  kept.launches = keep(workload.launches, alone.launches, is_kept);
  name_anew(alone.launches);
  kept.copies = keep(workload.copies, alone.copies, is_kept);
  name_anew(alone.copies);
  keep_of(application, workload.threads, alone.threads);
  for (ThreadSpec& thread : alone.threads) {
    for (HostCall& call : thread.calls) name_what_is_kept(call, kept);
  }
  close_gaps_of_phases(alone);
  return alone;
}

}  // namespace gputlm
