#include "platform/run/check_fits.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "models/sm/sm_model.h"
#include "models/work_distributor/application.h"
#include "models/work_distributor/carveout.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/kernel_order.h"
#include "models/work_distributor/resources.h"
#include "models/work_distributor/sm_share.h"
#include "platform/input/sm_set.h"
#include "platform/run/instances.h"
#include "platform/run/l2_ways.h"
#include "platform/run/page_colours.h"
#include "platform/run/regulation.h"
#include "platform/run/set_aside.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

template <class... Values>
[[noreturn]] void refuse(const LaunchCommand& launch, fmt::format_string<Values...> format, Values&&... values) {
  throw InputError(launch.file, launch.line,
                   "launch " + launch.label + ": " + fmt::format(format, std::forward<Values>(values)...));
}

template <class... Values>
[[noreturn]] void refuse(const ApplicationSpec& application, fmt::format_string<Values...> format, Values&&... values) {
  throw InputError(application.file, application.line,
                   "application " + application.name + ": " + fmt::format(format, std::forward<Values>(values)...));
}

void check_partitions(const GpusOfApplications& gpus, const Workload& workload) {
  for (std::size_t a = 0; a < workload.applications.size(); ++a) {
    const ApplicationSpec& application = workload.applications[a];
    const GpuConfig& config = gpus.of(a);
    if (!application.sms) continue;
    const SmSet beyond = *application.sms & ~sm_range(0, config.sms - 1);
    if (application.sms->none() || beyond.any()) {
      refuse(application, "found {}, allowed: SMs of {}, 0 to {}", beyond.any() ? "SM " + to_text(beyond) : "no SM",
             config.name, config.sms - 1);
    }
  }
  for (const LaunchCommand& launch : workload.launches) {
    if (!launch.sms) continue;
    const GpuConfig& config = gpus.of(workload.streams[launch.stream].application);
    SmSet allowed = sm_range(0, config.sms - 1);
    if (const auto& sms = workload.applications[workload.streams[launch.stream].application].sms) allowed &= *sms;
    if ((*launch.sms & allowed).any()) continue;
    refuse(launch, "found no SM of {} for its blocks, allowed: one or more of {}", config.name, to_text(allowed));
  }
}

/// What a green context may ask for where `left` SMs are.
std::string green_sms(unsigned left, const SmGranularity& granularity) {
  if (left == 0) return "none";
  const unsigned most = left / granularity.green_step * granularity.green_step;
  if (most < granularity.green_least) return fmt::format("{}, the remainder,", left);
  return fmt::format("at most {}", most) + (most == left ? "" : fmt::format(", or {}, the remainder,", left));
}

/// Each application has an SM and room for its blocks, by the policy that shares the engine.
void check_shares(const GpuConfig& whole, const GpusOfApplications& gpus, const Workload& workload) {
  if (!application_policies().at(whole.work_distributor.application).has(Property::kHeedsShares)) return;
  const auto granularity = read_options<SmGranularity>(whole.work_distributor.options, "partitioned");
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const GpuConfig& config = gpus.gpu(g);
    const auto shares = sm_shares(gpus.shares_on(g, workload), config.sms, granularity);
    unsigned taken = 0;  // by green contexts
    for (std::size_t a = 0; a < shares.size(); ++a) {
      const auto& share = shares[a];
      const ApplicationSpec& application = workload.applications[a];
      if (!share) continue;
      if (share->given == 0) {
        refuse(application, "found sm_percent {}, which is no SM of {}, allowed: {} to 100",
               *application.share.sm_percent, config.name, (100 + config.sms - 1) / config.sms);
      }
      if (!share->alone) continue;
      if (share->given > config.sms - taken) {
        refuse(application,
               "found green_context_sms {}, allowed: {} of the {} SMs of {}, of which other green contexts have {}",
               *application.share.green_context_sms, green_sms(config.sms - taken, granularity), config.sms,
               config.name, taken);
      }
      taken += share->given;
    }
  }
  for (const LaunchCommand& launch : workload.launches) {
    const auto percent = workload.applications[workload.streams[launch.stream].application].share.thread_percent;
    if (!percent) continue;
    const unsigned warps = whole.sm.threads * *percent / 100 / static_cast<unsigned>(kWarpSize);
    if (launch.kernel->warps_per_block() <= warps) continue;
    refuse(launch, "a block of kernel {} has {} warps, allowed: {}, as its application has thread_percent {}",
           launch.kernel->name, launch.kernel->warps_per_block(), warps, *percent);
  }
}

void check_priorities(const GpuConfig& config, const Workload& workload) {
  const int highest = 1 - static_cast<int>(config.work_distributor.priorities);
  for (const StreamSpec& stream : workload.streams) {
    if (stream.priority >= highest && stream.priority <= 0) continue;
    throw InputError(
        stream.file, stream.line,
        fmt::format("stream {}: found priority {}, allowed: {} to 0, as {} has "
                    "work_distributor.priorities={}",
                    stream.name, stream.priority, highest, config.name, config.work_distributor.priorities));
  }
}

/// Where applications are launched again: a device synchronize would wait for launches without end, and "LABEL@2" is
/// the second launch of LABEL.
void check_relaunch(const Workload& workload) {
  if (!workload.relaunches()) return;
  std::set<std::string> labels;
  for (const LaunchCommand& launch : workload.launches) labels.insert(launch.label);
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.phase > 0) {
      refuse(launch, "found phase {}, allowed is 0 only where an application has `relaunch`", launch.phase);
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

/// SMs and limits of an SM that the blocks of a launch may have of its GPU.
std::pair<SmSet, SmLimits> allowed_to(const LaunchCommand& launch, const GpusOfApplications& gpus,
                                      const Workload& workload) {
  const ApplicationId application = workload.streams[launch.stream].application;
  const GpuConfig& config = gpus.of(application);
  const WorkDistributorConfig& distributor = config.work_distributor;
  const auto policy = make_application_policy(
      distributor.application, {gpus.shares_on(gpus.place_of(application), workload), config.sms, config.sm.threads,
                                Clock::from_mhz(config.core_mhz), distributor.options});
  const ContextLimits limits = policy->limits(application);
  SmSet sms = sm_range(0, config.sms - 1) & limits.sms & launch.sms.value_or(SmSet().set());
  if (const auto& own = workload.applications[application].sms) sms &= *own;
  SmLimits sm = with_arrays(config.sm, config.sm.l1.bytes);
  sm.threads = std::min(sm.threads, limits.threads);
  sm.warps = std::min(sm.warps, limits.threads / static_cast<unsigned>(kWarpSize));
  return {sms, sm};
}

/// Blocks of a kernel that an SM holds, when its first one divides the memory.
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

/// SMs that run blocks know nothing of what their warps do.
void check_dependent_launches(const GpuConfig& config, const Workload& workload) {
  if (!sm_models().at(config.sm.model).has(Property::kNeedsDurations)) return;
  for (const LaunchCommand& launch : workload.launches) {
    if (launch.programmatic)
      refuse(launch, "found programmatic_dependent_launch, which sm.model={} does not know; allowed: sm.model=warps",
             config.sm.model);
  }
}

/// A GPU that has clusters has them of this size, and one fits on a GPC of what its application may have.
void check_clusters(const GpusOfApplications& gpus, const Workload& workload) {
  for (const LaunchCommand& launch : workload.launches) {
    const Kernel& kernel = *launch.kernel;
    const std::uint64_t blocks = kernel.cluster.count();
    if (blocks == 1) continue;
    const GpuConfig& config = gpus.of(workload.streams[launch.stream].application);
    const WorkDistributorConfig& distributor = config.work_distributor;
    const unsigned portable = distributor.cluster_blocks, any = distributor.non_portable_cluster_blocks;
    if (any == 1) continue;  // it has none, and places blocks one by one
    if (blocks > (kernel.non_portable_cluster ? any : portable)) {
      refuse(launch, "kernel {} has clusters of {} blocks; {} allows {}, and {} with non_portable_cluster", kernel.name,
             blocks, config.name, portable, any);
    }
    const auto [sms, sm] = allowed_to(launch, gpus, workload);
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

/// What an instance cannot hold for sure. Which addresses kernels use is known when a warp gets there only.
void check_memory(const GpuConfig& config, const GpusOfApplications& gpus, const Workload& workload) {
  if (instances_of(config, workload).empty()) return;
  for (const ThreadSpec& thread : workload.threads) {
    const GpuConfig& gpu = gpus.of(thread.application);
    if (thread.allocated <= gpu.mmu.device_memory) continue;
    refuse(workload.applications[thread.application], "thread {}: found {} bytes allocated at once, allowed: {}, of {}",
           thread.name, thread.allocated, gpu.mmu.device_memory, gpu.name);
  }
  for (const CopyCommand& copy : workload.copies) {
    const GpuConfig& gpu = gpus.of(workload.streams[copy.stream].application);
    if (copy.bytes <= gpu.mmu.device_memory) continue;
    throw InputError(copy.file, copy.line,
                     fmt::format("copy {}: found {} bytes, allowed: {}, the memory of {}", copy.label, copy.bytes,
                                 gpu.mmu.device_memory, gpu.name));
  }
}

/// Jobs of a task that declares how far apart they are. Of another phase it is not known when it starts.
void check_arrivals(const Workload& workload) {
  std::map<std::pair<std::uint32_t, unsigned>, std::vector<const JobSpec*>> declared;  // by task and phase
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

}  // namespace

void check_fits(const GpuConfig& config, const Workload& workload) {
  const GpusOfApplications gpus(config, workload);
  check_partitions(gpus, workload);
  check_shares(config, gpus, workload);
  check_page_colours(gpus, workload);
  check_budgets(config, gpus, workload);
  check_l2_ways(gpus, workload);
  check_set_aside(config, gpus, workload);
  check_priorities(config, workload);
  check_relaunch(workload);
  check_alone_cycles(config, workload);
  check_arrivals(workload);
  check_memory(config, gpus, workload);
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
  check_clusters(gpus, workload);
  check_dependent_launches(config, workload);
}

}  // namespace gputlm
