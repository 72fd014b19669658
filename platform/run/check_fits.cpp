#include "platform/run/check_fits.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <vector>

#include "models/sm/sm_model.h"
#include "models/sm/warp_scheduler.h"
#include "models/work_distributor/application.h"
#include "models/work_distributor/carveout.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/resources.h"
#include "platform/input/id_set.h"
#include "platform/run/shares.h"
#include "tlm/access.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

void check_priorities(const GpuConfig& config, const Workload& workload) {
  const int highest = 1 - static_cast<int>(config.work_distributor.priorities);
  for (const StreamSpec& stream : workload.streams) {
    if (stream.priority >= highest && stream.priority <= 0) continue;
    refuse(stream, "found priority {}, allowed: {} to 0, as {} has work_distributor.priorities={}", stream.priority,
           highest, config.name, config.work_distributor.priorities);
  }
}

/// Checks relaunched applications: a device synchronize would wait for endless launches, and "LABEL@2" is the second launch of
/// LABEL.
void check_relaunch(const Workload& workload) {
  if (!workload.relaunches()) return;
  std::set<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.insert(launch.label);
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.phase > 0) {
      refuse(launch, "found phase {}, allowed: only 0 if an application has `relaunch`", launch.phase);
    }
    const std::size_t at = launch.label.rfind('@');
    if (at != std::string::npos && labels.count(launch.label.substr(0, at)) > 0) {
      refuse(launch, "the label is that of a relaunch of {}", launch.label.substr(0, at));
    }
  }
}

void check_alone_cycles(const GpuConfig& config, const Workload& workload) {
  const std::string& order = config.work_distributor.kernel_order;
  if (!kernel_orders().at(order).has(Property::kNeedsAloneCycles)) return;
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.alone_cycles) continue;
    refuse(launch,
           "found no alone_cycles, but work_distributor.kernel_order={} needs them of every launch: its cycles when "
           "nothing else runs, 1 or more",
           order);
  }
}

/// SMs of its GPU that a launch may use, and their limits for its blocks.
std::pair<SmSet, SmLimits> allowed_to(const LaunchCommand& launch, const Sharing& s) {
  const ApplicationId application = s.workload.streams[launch.stream].application;
  const GpuConfig& config = s.parts.gpu_of(application);
  const WorkDistributorConfig& distributor = config.work_distributor;
  const auto policy = make_application_policy(
      distributor.application, {s.parts.engine_shares(s.parts.of(application), s.applications()), config.sms,
                                config.sm.threads, Clock::from_mhz(config.core_mhz), distributor.options});
  const ContextLimits limits = policy->limits(application);
  SmSet sms = sm_range(0, config.sms - 1) & limits.sms & launch.sms.value_or(SmSet().set());
  if (const auto& own = s.applications()[application].sms) sms &= *own;
  SmLimits sm = with_arrays(config.sm, config.sm.l1.bytes);
  sm.threads = std::min(sm.threads, limits.threads);
  sm.warps = std::min(sm.warps, limits.threads / static_cast<unsigned>(kWarpSize));
  return {sms, sm};
}

/// Number of a kernel's blocks that an SM holds if its first block divides the memory.
unsigned residency_of(const LaunchCommand& launch, const SmLimits& sm, const WorkDistributorConfig& distributor) {
  const BlockDemand demand = block_demand(*launch.kernel, sm, distributor);
  Resources empty = capacity(sm);
  const CarveoutSizes& sizes = carveouts().at(sm.carveout).make;
  if (sizes.array > 0) {
    KernelLaunch wants;
    wants.cache_config = launch.cache_config;
    wants.shared_percent = launch.shared_percent;
    empty.shared_memory = wanted_carveout(sizes, wants, demand, empty);
  }
  return residency(demand, empty);
}

/// SMs that run blocks do not model the actions of warps.
void check_dependent_launches(const GpuConfig& config, const Workload& workload) {
  if (!sm_models().at(config.sm.model).has(Property::kNeedsDurations)) return;
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.programmatic)
      refuse(launch, "found programmatic_dependent_launch, which sm.model={} does not support; allowed: sm.model=warps",
             config.sm.model);
  }
}

/// A GPU with clusters must support this size, and one must fit on a GPC within the application's share.
void check_clusters(const Sharing& s) {
  for (const LaunchCommand& launch : s.workload.launches) {
    const Kernel& kernel = *launch.kernel;
    const std::uint64_t blocks = kernel.cluster.count();
    if (blocks == 1) continue;
    const GpuConfig& config = s.parts.gpu_of(s.workload.streams[launch.stream].application);
    const WorkDistributorConfig& distributor = config.work_distributor;
    const unsigned portable = distributor.cluster_blocks, any = distributor.non_portable_cluster_blocks;
    if (any == 1) continue;  // the GPU has no clusters and places blocks one by one
    if (blocks > (kernel.non_portable_cluster ? any : portable)) {
      refuse(launch, "kernel {} has clusters of {} blocks; {} allows {}, and {} with non_portable_cluster", kernel.name,
             blocks, config.name, portable, any);
    }
    const auto [sms, sm] = allowed_to(launch, s);
    const unsigned of_sm = residency_of(launch, sm, distributor);
    std::size_t most = 0;
    for (const SmSet& gpc : gpc_sets(config.sms_of_gpcs())) most = std::max(most, (gpc & sms).count());
    if (most * of_sm >= blocks) continue;
    refuse(launch,
           "a cluster of kernel {} has {} blocks, which one GPC has to hold at once; of {} it may use {} SMs of "
           "a GPC, with {} blocks each: {} in all",
           kernel.name, blocks, config.name, most, of_sm, most * of_sm);
  }
}

/// Checks the jobs of a task that declares its minimum interarrival time. The start of another phase is not known.
void check_arrivals(const Workload& workload) {
  std::map<std::pair<std::uint32_t, unsigned>, std::vector<const JobSpec*>> declared;  // jobs by task and phase
  for (const JobSpec& job : workload.jobs) {
    if (workload.tasks[job.task].min_interarrival) declared[{job.task, job.phase}].push_back(&job);
  }
  for (auto& [key, jobs] : declared) {
    const TaskSpec& task = workload.tasks[key.first];
    std::stable_sort(jobs.begin(), jobs.end(),
                     [](const JobSpec* a, const JobSpec* b) { return a->release < b->release; });
    for (std::size_t j = 1; j < jobs.size(); ++j) {
      const Femtoseconds apart = jobs[j]->release - jobs[j - 1]->release;
      if (apart >= *task.min_interarrival) continue;
      const auto us = [](Femtoseconds time) { return static_cast<double>(time) * 1e-9; };
      throw InputError(
          task.file, task.line,
          fmt::format("task {}: found job {} released at {:.9g} us, {:.9g} us after job {}, allowed: {:.9g} or more "
                      "(min_interarrival_us)",
                      task.name, jobs[j]->number, us(jobs[j]->release), us(apart), jobs[j - 1]->number,
                      us(*task.min_interarrival)));
    }
  }
}

/// Whether entries of `list` differ in `value`.
template <class List, class Member>
bool differ(const List& list, Member value) {
  return std::any_of(list.begin(), list.end(), [&](const auto& entry) { return entry.*value != list.front().*value; });
}

void tell_lost_clusters(const GpuConfig& config, const Workload& workload, std::vector<std::string>& lines) {
  if (config.work_distributor.non_portable_cluster_blocks > 1) return;
  const auto has_clusters = [](const LaunchCommand& launch) {
    return launch.kernel && launch.kernel->cluster.count() > 1;
  };
  const auto first = std::find_if(workload.launches.begin(), workload.launches.end(), has_clusters);
  if (first == workload.launches.end()) return;
  lines.push_back(
      fmt::format("clusters of {} launches have no effect, first of {}: {} has none "
                  "(work_distributor.non_portable_cluster_blocks=1), and places their blocks one by one",
                  std::count_if(first, workload.launches.end(), has_clusters), first->label, config.name));
}

/// "; X, Y do", or nothing if no policy uses it.
std::string that_do(const DecisionInfo& decision, Property heeds) {
  const auto policies = decision.policies_with(heeds);
  std::string names;
  for (const PolicyInfo* const policy : policies) names += (names.empty() ? "" : ", ") + policy->name;
  return names.empty() ? "" : "; " + names + (policies.size() == 1 ? " does" : " do");
}

// Measured: resident memory of runs that differ only in this.
constexpr Bytes kBytesOfLine = 21;
constexpr Bytes kBytesOfProgram = Bytes{16} << 20;

/// The parts that the input determines.
struct Parts {
  Bytes l1, l2, launches;
};
Parts parts_of(const GpuConfig& config, const Workload& workload) {
  return {config.sms * (config.sm.l1.bytes / kLineBytes) * kBytesOfLine, config.l2.bytes / kLineBytes * kBytesOfLine,
          (workload.launches.size() + workload.copies.size()) * kBytesOfLaunch};
}

std::string mebibytes(Bytes bytes) { return fmt::format("{} MiB", bytes >> 20); }

}  // namespace

bool is_heeded(bool is_set, const std::string& what, const DecisionInfo& decision, const std::string& policy,
               Property heeds, std::vector<std::string>& lines) {
  if (!is_set || decision.policy(policy).has(heeds)) return is_set;
  lines.push_back(what + " have no effect: " + decision.parameter() + "=" + policy + " does not look at them" +
                  that_do(decision, heeds));
  return false;
}

PartShares shares_of(const Sharing& sharing, std::size_t part) {
  PartShares shares;
  for (const ShareMechanism* const share : kShares) {
    if (share->set_up) share->set_up(sharing, part, shares);
  }
  return shares;
}

void check_fits(const GpuConfig& config, const Workload& workload) {
  const GpuParts parts(config, workload);
  const Sharing sharing{config, workload, parts};
  for (const ShareMechanism* const share : kShares) share->check(sharing);
  check_priorities(config, workload);
  check_relaunch(workload);
  check_alone_cycles(config, workload);
  check_arrivals(workload);
  const Resources limit = capacity(config.sm);
  for (const LaunchCommand& launch : workload.launches) {
    const Kernel& kernel = *launch.kernel;
    const auto reject = [&](const std::string& what, Bytes found, Bytes allowed) {
      refuse(launch, "a block of kernel {} has {} {}; an SM of {} allows {}", kernel.name, found, what, config.name,
             allowed);
    };
    if (kernel.blocks() == 0 || kernel.threads_per_block() == 0) {
      refuse(launch, "kernel {} has {} blocks of {} threads; both must be at least 1", kernel.name, kernel.blocks(),
             kernel.threads_per_block());
    }
    const Resources takes = block_demand(kernel, config.sm, config.work_distributor).takes;
    if (takes.threads > config.sm.max_threads_per_block) {
      reject("threads", takes.threads, config.sm.max_threads_per_block);
    }
    if (takes.threads > limit.threads) reject("threads", takes.threads, limit.threads);
    if (takes.warps > limit.warps) reject("warps", takes.warps, limit.warps);
    if (takes.registers > limit.registers) reject("registers", takes.registers, limit.registers);
    if (takes.shared_memory > limit.shared_memory) {
      const Bytes driver = config.sm.driver_shared_memory;
      reject("bytes of shared memory", takes.shared_memory - driver, limit.shared_memory - driver);
    }
  }
  check_clusters(sharing);
  check_dependent_launches(config, workload);
}

std::vector<std::string> without_effect(const GpuConfig& config, const Workload& workload) {
  std::vector<std::string> lines;
  /// For settings that are used, but only compared.
  const auto check_compared = [&](const auto& list, auto member, auto standard, const std::string& what,
                                  const DecisionInfo& decision, const std::string& policy, Property heeds) {
    const bool differs = differ(list, member), is_set = differs || (!list.empty() && list.front().*member != standard);
    if (is_heeded(is_set, what, decision, policy, heeds, lines) && !differs)
      lines.push_back(what + " have no effect: all are the same");
  };
  check_compared(workload.streams, &StreamSpec::priority, 0, "stream priorities", kernel_orders(),
                 config.work_distributor.kernel_order, Property::kHeedsPriorities);
  is_heeded(std::any_of(workload.launches.begin(), workload.launches.end(),
                        [](const LaunchCommand& launch) { return launch.kernel && launch.kernel->demand; }),
            "demands of kernels", sm_models(), config.sm.model, Property::kHeedsDemands, lines);
  const bool warps = !sm_models().at(config.sm.model).has(Property::kNeedsDurations);
  if (warps) {
    check_compared(workload.launches, &LaunchCommand::budget, 1, "budgets of launches", warp_schedulers(),
                   config.sm.warp_scheduler, Property::kHeedsBudgets);
  } else if (differ(workload.launches, &LaunchCommand::budget)) {
    lines.push_back("budgets of launches have no effect: sm.model=" + config.sm.model + " runs no warps");
  }
  const GpuParts parts(config, workload);
  for (const ShareMechanism* const share : kShares) {
    if (share->warn) share->warn({config, workload, parts}, lines);
  }
  tell_lost_clusters(config, workload, lines);
  return lines;
}

Bytes default_memory_limit() {
  Bytes most = static_cast<Bytes>(::sysconf(_SC_PHYS_PAGES)) * static_cast<Bytes>(::sysconf(_SC_PAGESIZE));
  Bytes of_container = 0;
  // "max", which means no limit, is not a number.
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> of_container) most = std::min(most, of_container);
  return most / 4 * 3;
}

Bytes estimated_memory(const GpuConfig& config, const Workload& workload) {
  const auto [l1, l2, launches] = parts_of(config, workload);
  return kBytesOfProgram + l1 + l2 + launches;
}

void check_memory(const GpuConfig& config, const Origin& origin, const Origins& origins, const Workload& workload,
                  Bytes limit) {
  const auto [l1, l2, launches] = parts_of(config, workload);
  if (l1 + l2 + launches <= limit) return;
  const std::string allowed = fmt::format("allowed: {} of memory (--max-memory)", mebibytes(limit));
  if (launches > l1 + l2) {
    const bool any = !workload.launches.empty();
    throw InputError(any ? workload.launches.back().file : workload.copies.back().file,
                     any ? workload.launches.back().line : workload.copies.back().line,
                     fmt::format("found {} launches and copies, each repetition one, which take about {}; {}",
                                 workload.launches.size() + workload.copies.size(), mebibytes(launches), allowed));
  }
  fail_together(fmt::format("sms x sm.l1.bytes and l2.bytes, {} x {} and {}, take about {}; {}", config.sms,
                            config.sm.l1.bytes, config.l2.bytes, mebibytes(l1 + l2), allowed),
                origin, origins);
}

}  // namespace gputlm
