#include "platform/bounds/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "models/work_distributor/application.h"
#include "models/work_distributor/carveout.h"
#include "models/work_distributor/kernel_order.h"
#include "platform/bounds/servers.h"
#include "platform/run/instances.h"

namespace gputlm {
namespace {

SmSet sms_of(const Workload& workload, const LaunchCommand& launch, unsigned sms) {
  SmSet set = all_sms(sms);
  const auto& own = workload.applications[workload.streams[launch.stream].application].sms;
  if (own) set &= *own;
  if (launch.sms) set &= *launch.sms;
  return set;
}

template <class T>
T option(const GpuConfig& config, const std::string& policy, const std::string& name) {
  const FieldValue* const set = config.work_distributor.options.find(policy + "." + name);
  if (set) return std::get<T>(*set);
  for (const Field& info : application_policies().at(policy).options) {
    if (info.name == name) return std::get<T>(*info.default_value);
  }
  throw std::logic_error("no option " + name + " of " + policy);
}

class Model {
 public:
  Model(const GpuConfig& config, const std::vector<const Workload*>& workloads, const AloneTimes& alone,
        const std::vector<SwitchTimes>& switches)
      : config_(config), workload_(*workloads.front()), workloads_(workloads), alone_(alone), switches_(switches),
        parts_(config, workload_), policy_(config.work_distributor.application),
        servers_(servers_of(config, workload_)) {
    for (const Server& server : servers_) add_task(server);
    make_contexts();
    // Launches and ends pass the host, the work distributor and the link between them one per cycle.
    problem_.slack =
        2 * workload_.streams.size() + config.work_distributor.dispatch_interval + config.sm.launch_fetch_latency + 2;
    wait_for_copies();
  }

  std::vector<TaskBound> bounds() {
    const bool modes = workload_.has_modes();
    const std::vector<ResponseBound> lo = modes ? response_bounds(in_lo_mode()) : std::vector<ResponseBound>();
    if (modes) drop(lo);
    const std::vector<ResponseBound> found = response_bounds(problem_);
    std::vector<TaskBound> all(workload_.tasks.size());
    for (TaskBound& task : all) task.bound.why = "no analysis: it launches nothing";
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      if (!servers_[s].task) continue;
      TaskBound& task = all[*servers_[s].task];
      task.bound = found[s];
      task.scheme = schemes_.at(problem_.tasks[s].context);
      if (!modes) continue;
      task.lo = lo[s];
      task.only_in_lo_mode = problem_.tasks[s].dropped;
      task.scheme += drops_[problem_.tasks[s].context] ? ", AMC-rtb" : ", static mixed criticality";
      if (!task.only_in_lo_mode && task.bound.cycles && lo[s].cycles)
        task.bound.cycles = std::max(*task.bound.cycles, *lo[s].cycles);
    }
    for (std::size_t j = 0; j < workload_.jobs.size(); ++j) {
      TaskBound& task = all[workload_.jobs[j].task];
      task.alone = std::max(task.alone, alone_.job_responses[j]);
      task.alone_lo = std::max(task.alone_lo, alone_.job_responses_lo[j]);
    }
    return all;
  }

 private:
  /// The problem of mode lo: no job overruns.
  BoundProblem in_lo_mode() const {
    BoundProblem lo = problem_;
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      BoundTask& task = lo.tasks[s];
      task.kernels.erase(std::remove_if(task.kernels.begin(), task.kernels.end(),
                                        [](const BoundKernel& kernel) { return kernel.beyond_budget; }),
                         task.kernels.end());
      if (servers_[s].task)
        task.alone = task.alone - longest_alone(*servers_[s].task, alone_.job_responses) +
                     longest_alone(*servers_[s].task, alone_.job_responses_lo);
    }
    return lo;
  }

  /// Sets the parts of the problem of mode hi that follow from the bounds of mode lo.
  void drop(const std::vector<ResponseBound>& lo) {
    drops_.resize(problem_.contexts.size());
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      problem_.tasks[s].in_lo_mode = lo[s].cycles;
      if (!servers_[s].task) continue;
      const TaskSpec& task = workload_.tasks[*servers_[s].task];
      problem_.tasks[s].dropped = task.criticality == Criticality::kLo && task.in_hi_mode == InHiMode::kDrop;
      if (problem_.tasks[s].dropped) drops_[problem_.tasks[s].context] = true;
    }
  }

  Cycle longest_alone(std::uint32_t task, const std::vector<Cycle>& responses) const {
    Cycle longest = 0;
    for (std::size_t j = 0; j < workload_.jobs.size(); ++j) {
      if (workload_.jobs[j].task == task) longest = std::max(longest, responses[j]);
    }
    return longest;
  }

  ApplicationId application(const Server& server) const { return workload_.streams[server.stream].application; }

  void add_task(const Server& server) {
    BoundTask task;
    task.level = workload_.streams[server.stream].priority;
    task.refused = server.refused;
    task.comes_together = server.comes_together;
    for (const Server::Job& job : server.jobs) {
      for (std::size_t k = 0; k < job.launches.size(); ++k) {
        if (k == task.kernels.size()) task.kernels.emplace_back();
        const BoundKernel& alone = alone_.launches[job.launches[k]];
        task.kernels[k].time = std::max(task.kernels[k].time, alone.time);
        task.kernels[k].block = std::max(task.kernels[k].block, alone.block);
        task.kernels[k].beyond_budget = workload_.launches[job.launches[k]].beyond_budget;
        if (!server.task) task.alone = std::max(task.alone, alone_.responses[job.launches[k]]);
      }
    }
    if (server.task) {
      task.alone = longest_alone(*server.task, alone_.job_responses);
      add_arrivals(*server.task, task.arrivals);
    } else if (workload_.applications[application(server)].relaunch) {
      task.arrivals = ArrivalCurve::periodic(1);  // another launch always follows
    } else {
      task.arrivals = ArrivalCurve::of(std::vector<Cycle>(server.jobs.size(), 0), false);
    }
    problem_.tasks.push_back(std::move(task));
  }

  void add_arrivals(std::uint32_t task, ArrivalCurve& arrivals) const {
    const Clock clock = Clock::from_mhz(config_.core_mhz);
    if (const auto& declared = workload_.tasks[task].min_interarrival) {
      arrivals = ArrivalCurve::periodic(std::max(Cycle{1}, clock.at_or_before(*declared)));
      return;
    }
    for (const Workload* const workload : workloads_) {
      std::vector<Femtoseconds> releases;
      for (const JobSpec& job : workload->jobs) {
        if (job.task == task) releases.push_back(job.release);
      }
      std::sort(releases.begin(), releases.end());
      arrivals.add(ArrivalCurve::of(releases, true).in_cycles(clock));
    }
  }

  /// One copy engine: each copy of a job waits for one copy of every other stream.
  void wait_for_copies() {
    std::vector<Cycle> longest(servers_.size());
    std::vector<std::size_t> most(servers_.size());
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      for (const Server::Job& job : servers_[s].jobs) {
        most[s] = std::max(most[s], job.copies.size());
        for (const std::uint32_t copy : job.copies) longest[s] = std::max(longest[s], alone_.copies[copy]);
      }
    }
    const Cycle all = std::accumulate(longest.begin(), longest.end(), Cycle{0});
    for (std::size_t s = 0; s < servers_.size(); ++s)
      problem_.tasks[s].copies_wait = most[s] * (all - longest[s] + problem_.slack);
  }

  /// The contexts of an application, or of all applications of an instance.
  void make_contexts() {
    const bool one = application_policies().at(policy_).has(Property::kOneContext);
    std::map<std::pair<unsigned, ApplicationId>, std::size_t> contexts;
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      const ApplicationId a = application(servers_[s]);
      const auto [found, is_new] =
          contexts.emplace(std::pair(parts_.of(a), one ? ApplicationId{0} : a), contexts.size());
      if (is_new) applications_.push_back(a);
      problem_.tasks[s].context = found->second;
    }
    problem_.contexts.resize(contexts.size());
    schemes_.resize(contexts.size());
    for (std::size_t c = 0; c < contexts.size(); ++c) schemes_[c] = order_text(c);
    for (unsigned i = 0; i < parts_.size(); ++i) arbitrate(i);
    for (std::size_t c = 0; c < contexts.size(); ++c) {
      if (!parts_.is_divided()) continue;
      schemes_[c] = fmt::format("instance {}, {}", parts_[parts_.of(applications_[c])].spec.name, schemes_[c]);
    }
  }

  std::string order_text(std::size_t context) const {
    std::set<int> levels;
    for (const BoundTask& task : problem_.tasks) {
      if (task.context == context) levels.insert(task.level);
    }
    return levels.size() > 1 ? "levels" : "first in, first out";
  }

  void arbitrate(unsigned instance) {
    std::vector<std::size_t> contexts;
    for (std::size_t c = 0; c < applications_.size(); ++c) {
      if (parts_.of(applications_[c]) == instance) contexts.push_back(c);
    }
    if (policy_ == "partitioned") part(contexts, parts_[instance].config);
    for (const std::size_t c : contexts) refuse_divisions(c, parts_[instance].config);
    if (contexts.size() < 2) return;
    if (policy_ == "time_sliced") slice_time(contexts);
    if (policy_ == "exclusive") exclude(contexts);
  }

  template <class Function>
  void for_each_launch(std::size_t context, Function function) {
    for (std::size_t s = 0; s < servers_.size(); ++s) {
      if (problem_.tasks[s].context != context) continue;
      for (const auto& job : servers_[s].jobs) {
        for (const std::uint32_t launch : job.launches) function(s, workload_.launches[launch]);
      }
    }
  }
  void refuse(std::size_t task, const std::string& why) {
    if (problem_.tasks[task].refused.empty()) problem_.tasks[task].refused = why;
  }

  /// An SM keeps its division into shared memory and L1 while a block is resident: a kernel that needs another division would
  /// take longer than alone on SMs in use.
  void refuse_divisions(std::size_t context, const GpuConfig& gpu) {
    const SmLimits sm = with_arrays(gpu.sm, gpu.sm.l1.bytes);
    const CarveoutSizes sizes = carveouts().at(sm.carveout).make;
    if (sizes.array == 0) return;
    std::set<Bytes> wanted;
    std::set<std::size_t> streams;
    for_each_launch(context, [&](std::size_t task, const LaunchCommand& command) {
      KernelLaunch launch;
      launch.kernel = command.kernel.get();
      launch.cache_config = command.cache_config;
      launch.shared_percent = command.shared_percent;
      const BlockDemand demand = block_demand(*command.kernel, sm, gpu.work_distributor);
      wanted.insert(wanted_carveout(sizes, launch, demand, capacity(sm)));
      streams.insert(task);
    });
    if (wanted.size() < 2 || streams.size() < 2) return;
    for (const std::size_t task : streams)
      refuse(task, "kernels that share SMs want their array divided differently into shared memory and L1");
  }

  void part(const std::vector<std::size_t>& contexts, const GpuConfig& gpu) {
    const ApplicationSetup setup{
        parts_.engine_shares(parts_.of(applications_[contexts.front()]), workload_.applications), gpu.sms,
        gpu.sm.threads, Clock::from_mhz(gpu.core_mhz), gpu.work_distributor.options};
    const auto policy = make_application_policy(policy_, setup);
    std::vector<SmSet> sets;
    for (const std::size_t c : contexts) {
      SmSet all;
      const SmSet share = policy->limits(applications_[c]).sms;
      for_each_launch(
          c, [&](std::size_t, const LaunchCommand& launch) { all |= share & sms_of(workload_, launch, gpu.sms); });
      for_each_launch(c, [&](std::size_t task, const LaunchCommand& launch) {
        if ((share & sms_of(workload_, launch, gpu.sms)) != all)
          refuse(task, "its application's kernels have other SMs");
      });
      schemes_[c] = fmt::format("partition of {} SMs, {}", all.count(), schemes_[c]);
      sets.push_back(all);
    }
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      for (std::size_t other = 0; other < contexts.size(); ++other) {
        if (i == other || (sets[i] & sets[other]).none()) continue;
        for_each_launch(contexts[i], [&](std::size_t task, const LaunchCommand&) {
          refuse(task, fmt::format("its partition shares SMs with that of application '{}', and contexts send blocks "
                                   "in turn; the analysis covers shares without a common SM, and 'sms' in one context "
                                   "(work_distributor.application=concurrent)",
                                   workload_.applications[applications_[contexts[other]]].name));
        });
      }
      // Contexts send blocks in turn: each block may wait for one block of every other context.
      for (std::size_t s = 0; s < servers_.size(); ++s) {
        if (problem_.tasks[s].context != contexts[i]) continue;
        for (std::size_t k = 0; k < problem_.tasks[s].kernels.size(); ++k) {
          const Cycle more =
              most_blocks(servers_[s], k) * (contexts.size() - 1) * gpu.work_distributor.dispatch_interval;
          problem_.tasks[s].kernels[k].time += more;
          problem_.tasks[s].alone += more;
        }
      }
    }
  }

  std::uint64_t most_blocks(const Server& server, std::size_t kernel) const {
    std::uint64_t most = 0;
    for (const auto& job : server.jobs) {
      if (kernel < job.launches.size())
        most = std::max(most, workload_.launches[job.launches[kernel]].kernel->blocks());
    }
    return most;
  }

  Cycle longest(std::size_t context, Cycle BoundKernel::*what) const {
    Cycle most = 0;
    for (const BoundTask& task : problem_.tasks) {
      if (task.context != context) continue;
      for (const BoundKernel& kernel : task.kernels) most = std::max(most, kernel.*what);
    }
    return most;
  }

  void slice_time(const std::vector<std::size_t>& contexts) {
    const bool instructions = option<bool>(config_, policy_, "instruction_preemption");
    const Clock clock = Clock::from_mhz(config_.core_mhz);
    const auto us = [&](const char* name) {
      return option<unsigned>(config_, policy_, name) * Femtoseconds{1000000000};
    };
    const Cycle exchange = clock.at_or_after(us("switch_us"));
    std::vector<RunlistEntry> entries;
    for (const std::size_t c : contexts) {
      const EngineShare& share = workload_.applications[applications_[c]].share;
      const Femtoseconds slice = share.time_slice.value_or(us("time_slice_us"));
      const char* const priority = to_string(share.timeslice_priority.value_or(TimeslicePriority::kLow));
      const Cycle cycles = clock.at_or_after(slice);
      const auto slots = option<unsigned>(config_, policy_, fmt::format("slots_{}", priority));
      const SwitchTimes took = switches_.at(applications_[c]);
      entries.push_back({cycles, slots, instructions ? took.leaves + 1 : longest(c, &BoundKernel::block) + 1,
                         instructions ? std::max(took.comes, exchange) + 1 : exchange});
      schemes_[c] = fmt::format("{} slice{} of {:.4g} us, {}", slots, slots == 1 ? "" : "s",
                                static_cast<double>(slice) * 1e-9, schemes_[c]);
    }
    const std::vector<Supply> supplies = runlist_supplies(entries);
    for (std::size_t i = 0; i < contexts.size(); ++i) problem_.contexts[contexts[i]] = supplies[i];
  }

  /// Before a kernel, every other application may have the engine once, until its streams are empty.
  void exclude(const std::vector<std::size_t>& contexts) {
    std::vector<TurnDemands> turns;
    for (const std::size_t c : contexts) {
      schemes_[c] = "exclusive, " + schemes_[c];
      if (auto turn = turn_of(c, servers_, problem_)) turns.push_back(std::move(*turn));
    }
    const bool known = turns.size() == contexts.size();
    const auto turns_of_others = known ? waits_for_others(turns, problem_.slack) : std::nullopt;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      if (turns_of_others) {
        problem_.contexts[contexts[i]].gaps = {turns_of_others->at(i)};
        continue;
      }
      for_each_launch(contexts[i], [&](std::size_t task, const LaunchCommand&) {
        refuse(task,
               known ? "together they may demand more than the engine can supply, so that one keeps it forever"
                     : "an application whose host or copies decide when it continues may keep the engine indefinitely");
      });
    }
  }

  const GpuConfig& config_;
  const Workload& workload_;
  const std::vector<const Workload*>& workloads_;
  const AloneTimes& alone_;
  const std::vector<SwitchTimes>& switches_;
  GpuParts parts_;
  std::string policy_;
  const std::vector<Server> servers_;
  BoundProblem problem_;                     ///< tasks in the order of the servers
  std::vector<ApplicationId> applications_;  ///< first application of each context
  std::vector<std::string> schemes_;         ///< scheme of each context
  std::vector<bool> drops_;                  ///< for each context, whether one of its tasks is dropped in mode hi
};

}  // namespace

std::vector<TaskBound> bounds_of(const GpuConfig& config, const std::vector<const Workload*>& workloads,
                                 const AloneTimes& alone, const std::vector<SwitchTimes>& switches) {
  return Model(config, workloads, alone, switches).bounds();
}

}  // namespace gputlm
