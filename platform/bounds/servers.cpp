#include "platform/bounds/servers.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "platform/bounds/model.h"

namespace gputlm {
namespace {

using Kind = HostCall::Kind;

using Task = std::optional<std::uint32_t>;

Task task_of(const Workload& workload, const std::optional<std::uint32_t>& job) {
  return job ? Task(workload.jobs[*job].task) : Task();
}

std::vector<Server> list_servers(const Workload& workload) {
  // Jobs by stream, task and number. Launches and copies outside jobs get separate numbers after those of the jobs.
  std::map<StreamId, std::map<Task, std::map<std::size_t, Server::Job>>> all;
  std::map<Task, std::set<StreamId>> streams_of;
  std::size_t next = workload.jobs.size();
  const auto job_of = [&](const auto& command) -> Server::Job& {
    const Task task = task_of(workload, command.job);
    streams_of[task].insert(command.stream);
    return all[command.stream][task][command.job ? *command.job : next++];
  };
  for (std::uint32_t l = 0; l < workload.launches.size(); ++l) job_of(workload.launches[l]).launches.push_back(l);
  for (std::uint32_t c = 0; c < workload.copies.size(); ++c) job_of(workload.copies[c]).copies.push_back(c);
  std::vector<Server> servers;
  for (const auto& [stream, tasks] : all) {
    for (const auto& [task, jobs] : tasks) {
      Server server{stream, task};
      for (const auto& [number, job] : jobs) server.jobs.push_back(job);
      if (tasks.size() > 1)
        server.refused = fmt::format("stream '{}' does more than its jobs", workload.streams[stream].name);
      if (task && streams_of[task].size() > 1) server.refused = "its jobs are in several streams";
      servers.push_back(std::move(server));
    }
  }
  return servers;
}

void refuse_copies(const GpuConfig& config, const Workload& workload, std::map<std::uint32_t, std::string>& refused) {
  const bool instances = !config.instances.empty() || !workload.instances.empty();
  for (const CopyCommand& copy : workload.copies) {
    if (!copy.job) continue;
    const std::uint32_t task = workload.jobs[*copy.job].task;
    const bool within = copy.kind == CopyKind::kDeviceToDevice || copy.kind == CopyKind::kMemset;
    if (config.copy_engine.engines > 1) refused.emplace(task, "it copies, and several copy engines share the link");
    if (instances) refused.emplace(task, "it copies, and instances share the link");
    if (within && config.copy_engine.sm_bytes > 0) refused.emplace(task, "the SMs make its copies within the device");
  }
}

void refuse_what_others_decide(const GpuConfig& config, const Workload& workload, std::vector<Server>& servers) {
  const auto application = [&](const Server& server) { return workload.streams[server.stream].application; };
  std::map<std::uint32_t, std::string> refused;  // reasons, by task
  refuse_copies(config, workload, refused);
  std::map<ApplicationId, unsigned> streams;
  std::set<ApplicationId> with_default;
  for (const Server& server : servers) ++streams[application(server)];
  for (const StreamSpec& stream : workload.streams) {
    if (stream.kind == StreamKind::kDefault) with_default.insert(stream.application);
  }
  for (const ThreadSpec& thread : host_threads(workload)) {
    std::set<Task> served;
    bool waits_for_device = false;
    for (const HostCall& call : thread.calls) {
      if (call.kind == Kind::kReleaseJob) served.insert(workload.jobs[call.what].task);
      if (call.kind == Kind::kLaunch) served.insert(task_of(workload, workload.launches[call.what].job));
      if (call.kind == Kind::kCopy) served.insert(task_of(workload, workload.copies[call.what].job));
      waits_for_device = waits_for_device || call.kind == Kind::kSynchronizeDevice;
    }
    for (const auto& task : served) {
      if (!task) continue;
      if (served.size() > 1) refused.emplace(*task, "its host thread does more than its jobs");
      if (waits_for_device && streams[thread.application] > 1)
        refused.emplace(*task, "its host thread waits for other streams");
    }
  }
  for (Server& server : servers) {
    if (!server.task) continue;
    const ApplicationId own = application(server);
    if (with_default.count(own) && streams[own] > 1 && workload.streams[server.stream].kind != StreamKind::kNonBlocking)
      refused.emplace(*server.task, "its application has a default stream, for which others wait");
    if (workload.applications[own].relaunch) refused.emplace(*server.task, "its application is launched repeatedly");
    const auto found = refused.find(*server.task);
    if (found != refused.end()) server.refused = found->second;
  }
}

/// Derives from the calls of a thread how the jobs of its stream follow each other.
class ThreadsJobs {
 public:
  ThreadsJobs(const GpuConfig& config, const Workload& workload, std::vector<Server>& servers)
      : workload_(workload), calls_take_time_(config.host.call_cycles > 0) {
    for (Server& server : servers) servers_[{server.stream, server.task}] = &server;
  }

  void look_at(const ThreadSpec& thread) {
    std::set<Server*> served;
    std::optional<std::uint32_t> job;  // job of the last command
    bool last_was_launch = false, has_waited = true, waits = false, waits_for_each = true;
    for (const HostCall& call : thread.calls) {
      const bool launches = call.kind == Kind::kLaunch;
      if (launches || call.kind == Kind::kCopy) {
        const auto of = launches ? workload_.launches[call.what].job : workload_.copies[call.what].job;
        Server& server = *servers_.at({call.stream, task_of(workload_, of)});
        served.insert(&server);
        const bool goes_on = of && of == job;
        if (goes_on && !(launches && last_was_launch)) server.comes_together = false;
        if (!goes_on && !has_waited) waits_for_each = false;
        job = of;
        has_waited = false;
      }
      last_was_launch = launches;
      if (call.kind == Kind::kSynchronizeStream || call.kind == Kind::kSynchronizeDevice) has_waited = true;
      waits = waits || !(launches || call.kind == Kind::kReleaseJob || call.kind == Kind::kRecordEvent ||
                         (call.kind == Kind::kCopy && !workload_.copies[call.what].holds_thread()));
    }
    for (Server* const server : served) {
      const bool shared = served.size() > 1 || !seen_.insert(server).second;
      if (calls_take_time_) server->comes_together = false;
      if (waits_for_each && !shared) {
        server->in_a_row = 1;
      } else if (waits || shared || calls_take_time_) {
        server->in_a_row.reset();
      }
    }
  }

 private:
  const Workload& workload_;
  bool calls_take_time_;
  std::map<std::pair<StreamId, Task>, Server*> servers_;
  std::set<Server*> seen_;  ///< servers for which a thread has calls
};

void follow_jobs(const GpuConfig& config, const Workload& workload, std::vector<Server>& servers) {
  ThreadsJobs jobs(config, workload, servers);
  for (const ThreadSpec& thread : host_threads(workload)) jobs.look_at(thread);
  for (Server& server : servers) {
    if (config.host.launch_queue == 1) server.comes_together = false;
    const auto copies = [](const Server::Job& job) { return !job.copies.empty(); };
    const auto launches = std::count_if(server.jobs.begin(), server.jobs.end(),
                                        [](const Server::Job& job) { return !job.launches.empty(); });
    if (!server.task) {
      server.in_a_row = static_cast<std::uint64_t>(launches);  // all launches of the stream, until it is relaunched
    } else if (std::all_of(server.jobs.begin(), server.jobs.end(), copies)) {
      server.in_a_row = 2;  // the commands before a copy, and the commands after the previous copy
    } else if (std::any_of(server.jobs.begin(), server.jobs.end(), copies)) {
      server.in_a_row.reset();
    }
  }
}

/// Number of cycles beyond any run, and maximum iterations of a fixed point, as in analysis.cpp.
constexpr Cycle kLongestTurn = Cycle{1} << 52;
constexpr unsigned kMostTurnSteps = 1000000;

}  // namespace

std::vector<Server> servers_of(const GpuConfig& config, const Workload& workload) {
  std::vector<Server> servers = list_servers(workload);
  refuse_what_others_decide(config, workload, servers);
  follow_jobs(config, workload, servers);
  return servers;
}

std::string no_analysis(const GpuConfig& config, const Workload& workload) {
  const WorkDistributorConfig& distribution = config.work_distributor;
  if (workload.tasks.empty()) return "the workload has no tasks";
  if (distribution.kernel_order != "leftover" && distribution.kernel_order != "fifo")
    return fmt::format("the kernel order '{}' has none, allowed: leftover, fifo", distribution.kernel_order);
  const std::set<std::string> known{"concurrent", "exclusive", "partitioned", "time_sliced"};
  if (known.count(distribution.application) == 0)
    return fmt::format("the application policy '{}' has none, allowed: concurrent, exclusive, partitioned, time_sliced",
                       distribution.application);
  if (workload.streams.size() > distribution.kernels_in_flight)
    return "there are more streams than work_distributor.kernels_in_flight";
  std::set<CacheConfig> wanted;
  std::vector<bool> launches(workload.jobs.size());
  std::map<std::uint32_t, std::vector<bool>> beyond;  // for each task, which launches of a job are beyond its budget
  std::map<std::uint32_t, std::vector<bool>> of_job;
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.job) of_job[*launch.job].push_back(launch.beyond_budget);
    if (launch.job) launches[*launch.job] = true;
    if (launch.phase > 0) return "the workload has phases";
    if (launch.cache_config != CacheConfig::kAny) wanted.insert(launch.cache_config);
  }
  if (wanted.size() > 1) return "kernels want the SMs' memory divided differently, and do not run side by side";
  for (std::size_t j = 0; j < launches.size(); ++j) {  // a job without a launch could have no phase (alone.h)
    if (!launches[j])
      return fmt::format("task '{}' has jobs without a kernel", workload.tasks[workload.jobs[j].task].name);
  }
  for (const auto& [job, flags] : of_job) {
    const std::uint32_t task = workload.jobs[job].task;
    if (beyond.emplace(task, flags).first->second != flags && workload.has_modes())
      return fmt::format("task '{}' has jobs with other launches beyond their budgets", workload.tasks[task].name);
  }
  for (const ApplicationSpec& application : workload.applications) {
    if (application.share.thread_percent) return "applications share SMs by threads";
  }
  for (const ThreadSpec& thread : host_threads(workload)) {
    for (const HostCall& call : thread.calls) {
      if (call.kind == Kind::kLoop) return fmt::format("thread '{}' has a loop", thread.name);
      if (call.kind == Kind::kBarrier || call.kind == Kind::kWaitEvent)
        return fmt::format("thread '{}' waits for others", thread.name);
    }
  }
  return {};
}

std::optional<TurnDemands> turn_of(std::size_t context, const std::vector<Server>& servers,
                                   const BoundProblem& problem) {
  TurnDemands turn;
  Cycle block = 0;
  bool pauses = false;
  for (std::size_t s = 0; s < servers.size(); ++s) {
    const BoundTask& task = problem.tasks[s];
    if (task.context != context) continue;
    if (!servers[s].in_a_row) return std::nullopt;
    const std::uint64_t jobs = *servers[s].in_a_row;
    pauses = pauses || (servers[s].task && jobs != kNever);
    turn.push_back({task.alone + task.kernels.size() * problem.slack, task.arrivals, jobs});
    if (!servers[s].task)  // a server of commands outside jobs
      turn.back().arrivals = ArrivalCurve::of(std::vector<Cycle>(servers[s].jobs.size(), 0), false);
    for (const BoundKernel& kernel : task.kernels) block = std::max(block, kernel.block);
  }
  if (turn.size() < 2) return turn;
  if (pauses) return std::nullopt;
  // Kernels of several streams may have to wait for a block while slots are idle.
  std::size_t j = 0;
  for (const BoundTask& task : problem.tasks) {
    if (task.context == context) turn[j++].job += task.kernels.size() * block;
  }
  return turn;
}

std::optional<std::vector<Cycle>> longest_turns(const std::vector<TurnDemands>& contexts, Cycle late) {
  std::vector<Cycle> turns(contexts.size());
  for (unsigned step = 0; step < kMostTurnSteps; ++step) {
    const Cycle all = std::accumulate(turns.begin(), turns.end(), late);
    const std::vector<Cycle> before = turns;
    for (std::size_t c = 0; c < contexts.size(); ++c) {
      Cycle turn = 0;
      for (const TurnDemand& stream : contexts[c]) {
        const std::uint64_t jobs =
            std::min(stream.most_jobs, stream.arrivals.most(all + 1));  // including the cycle in which
                                                                        // the turn ends
        if (stream.job > 0 && jobs > kLongestTurn / stream.job) return std::nullopt;
        turn += jobs * stream.job;
      }
      if (turn > kLongestTurn) return std::nullopt;
      turns[c] = turn;
    }
    if (turns == before) return turns;
  }
  return std::nullopt;
}

std::optional<std::vector<Cycle>> waits_for_others(const std::vector<TurnDemands>& contexts, Cycle late) {
  std::optional<std::vector<Cycle>> waits = longest_turns(contexts, late);
  if (!waits) return waits;
  const Cycle all = std::accumulate(waits->begin(), waits->end(), Cycle{contexts.size()});
  for (Cycle& one : *waits) one = all - one;
  return waits;
}

}  // namespace gputlm
