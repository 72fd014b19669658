#include "platform/bounds/servers.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "platform/bounds/model.h"

namespace gputlm {
namespace {

using Kind = HostCall::Kind;

std::vector<Server> list_servers(const Workload& workload) {
  std::vector<Server> servers;
  std::map<StreamId, std::map<std::int64_t, std::vector<std::uint32_t>>> by_job;
  std::map<StreamId, std::set<std::optional<std::uint32_t>>> tasks;
  std::map<std::uint32_t, std::set<StreamId>> streams_of;
  for (std::uint32_t l = 0; l < workload.launches.size(); ++l) {
    const LaunchCommand& launch = workload.launches[l];
    const std::int64_t key = launch.job ? std::int64_t{*launch.job} : -1 - std::int64_t{l};
    by_job[launch.stream][key].push_back(l);
    std::optional<std::uint32_t> task;
    if (launch.job) task = workload.jobs[*launch.job].task;
    tasks[launch.stream].insert(task);
    if (task) streams_of[*task].insert(launch.stream);
  }
  for (auto& [stream, jobs] : by_job) {
    std::set<std::optional<std::uint32_t>> served = tasks[stream];
    for (const auto& task : served) {
      Server server{stream, task};
      for (const auto& [job, launches] : jobs) {
        if ((job >= 0 ? std::optional(workload.jobs[static_cast<std::size_t>(job)].task) : std::nullopt) == task)
          server.jobs.push_back(launches);
      }
      if (served.size() > 1)
        server.refused = fmt::format("stream '{}' does more than its jobs", workload.streams[stream].name);
      if (task && streams_of[*task].size() > 1) server.refused = "its jobs are in several streams";
      servers.push_back(std::move(server));
    }
  }
  return servers;
}

void refuse_what_others_decide(const Workload& workload, std::vector<Server>& servers) {
  const auto application = [&](const Server& server) { return workload.streams[server.stream].application; };
  std::map<std::uint32_t, std::string> refused;  // by task
  for (const CopyCommand& copy : workload.copies) {
    if (copy.job) refused.emplace(workload.jobs[*copy.job].task, "it copies, and copies are arbitrated apart");
  }
  std::map<ApplicationId, unsigned> streams;
  std::set<ApplicationId> with_default;
  for (const Server& server : servers) ++streams[application(server)];
  for (const StreamSpec& stream : workload.streams) {
    if (stream.kind == StreamKind::kDefault) with_default.insert(stream.application);
  }
  for (const ThreadSpec& thread : host_threads(workload)) {
    std::set<std::optional<std::uint32_t>> served;
    bool waits_for_device = false;
    for (const HostCall& call : thread.calls) {
      std::optional<std::uint32_t> job;
      if (call.kind == Kind::kReleaseJob) job = call.what;
      if (call.kind == Kind::kLaunch) job = workload.launches[call.what].job;
      if (call.kind == Kind::kLaunch || job)
        served.insert(job ? std::optional(workload.jobs[*job].task) : std::nullopt);
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
    if (workload.applications[own].relaunch)
      refused.emplace(*server.task, "its application is launched again and again");
    const auto found = refused.find(*server.task);
    if (found != refused.end()) server.refused = found->second;
  }
}

}  // namespace

std::vector<Server> servers_of(const Workload& workload) {
  std::vector<Server> servers = list_servers(workload);
  refuse_what_others_decide(workload, servers);
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
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.phase > 0) return "the workload has phases";
    if (launch.cache_config != CacheConfig::kAny) wanted.insert(launch.cache_config);
  }
  if (wanted.size() > 1) return "kernels want the SMs' memory divided differently, and do not run side by side";
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

}  // namespace gputlm
