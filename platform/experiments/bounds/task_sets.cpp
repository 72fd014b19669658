#include "platform/experiments/bounds/task_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/kernel/random.h"
#include "platform/lab/runs.h"

namespace gputlm {
namespace {

constexpr std::array<std::uint32_t, 5> kThreads{64, 128, 256, 512, 1024};

/// What is drawn of a set, one after the other.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t number) : key_(derive(mix(seed), number)) {}
  std::uint64_t bits() { return derive(key_, next_++); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double logarithmic(const std::pair<unsigned, unsigned>& range) {
    return range.first * std::pow(static_cast<double>(range.second) / range.first, uniform());
  }

 private:
  std::uint64_t key_, next_ = 0;
};

/// In whole tenths of microseconds: the last digit of pow() is not the same everywhere.
Femtoseconds rounded(double us) {
  return static_cast<Femtoseconds>(std::max<long long>(std::llround(us * 10), 1)) * (kMicrosecond / 10);
}

}  // namespace

std::vector<DrawnTask> draw_task_set(const TaskSetRange& range, const GpuConfig& gpu, std::uint64_t seed,
                                     std::uint64_t number) {
  Draws draw(seed, derive(range.utilisation_percent, number));
  std::vector<DrawnTask> set;
  double left = range.utilisation_percent / 100.0;
  for (unsigned t = 1; t <= range.tasks; ++t) {
    const double rest = t < range.tasks ? left * std::pow(draw.uniform(), 1.0 / (range.tasks - t)) : 0;
    const double period = draw.logarithmic(range.period_us), takes = (left - rest) * period;
    left = rest;
    const double block = draw.logarithmic(range.block_us);
    const double waves = std::max(1.0, std::round(takes / block));
    DrawnTask task;
    task.period = rounded(period);
    task.block = rounded(takes / waves);
    task.threads = kThreads.at(uniform_below(draw.bits(), kThreads.size()));
    const auto places = gpu.sms * std::min(gpu.sm.threads / task.threads, gpu.sm.blocks);
    task.blocks =
        static_cast<std::uint32_t>(waves) * places - static_cast<std::uint32_t>(uniform_below(draw.bits(), places));
    set.push_back(task);
  }
  std::stable_sort(set.begin(), set.end(), [](const DrawnTask& a, const DrawnTask& b) { return a.period < b.period; });
  return set;
}

Workload workload_of(const std::vector<DrawnTask>& set, const Sharing& sharing, Femtoseconds until,
                     const std::vector<Femtoseconds>& offsets) {
  Workload workload;
  std::vector<std::shared_ptr<Kernel>> kernels;
  std::vector<std::uint32_t> jobs(set.size());
  for (std::size_t t = 0; t < set.size(); ++t) {
    const std::string name = fmt::format("t{}", t);
    ApplicationSpec application{name};
    application.share.sm_percent = sharing.sm_percent;
    workload.applications.push_back(std::move(application));
    const int level = sharing.levels ? static_cast<int>(t) - static_cast<int>(set.size()) + 1 : 0;
    workload.streams.push_back({name, static_cast<ApplicationId>(t), level});
    workload.tasks.push_back({name, static_cast<ApplicationId>(t), set[t].period});
    kernels.push_back(spin_kernel(set[t].blocks, set[t].threads, set[t].block));
  }
  for (std::uint32_t number = 0;; ++number) {
    const std::size_t before = workload.launches.size();
    for (std::size_t t = 0; t < set.size(); ++t) {
      const Femtoseconds release = number * set[t].period + offsets[t];
      if (number > 0 && release >= until) continue;
      const std::size_t id = launch(workload, static_cast<StreamId>(t), kernels[t], release);
      workload.launches[id].job = static_cast<std::uint32_t>(workload.jobs.size());
      workload.jobs.push_back({static_cast<std::uint32_t>(t), number, release});
    }
    if (workload.launches.size() == before) return workload;
  }
}

void Sequence::add(const Workload& workload) {
  if (parts_.empty()) {
    all_.applications = workload.applications;
    all_.streams = workload.streams;
  }
  Part part{static_cast<std::uint32_t>(all_.launches.size()), static_cast<std::uint32_t>(workload.launches.size()),
            static_cast<std::uint32_t>(all_.jobs.size()), static_cast<std::uint32_t>(workload.jobs.size())};
  const auto first_task = static_cast<std::uint32_t>(all_.tasks.size());
  unsigned last = 0;
  for (TaskSpec task : workload.tasks) {
    task.name = fmt::format("{}.{}", parts_.size(), task.name);
    all_.tasks.push_back(std::move(task));
  }
  for (JobSpec job : workload.jobs) {
    job.task += first_task;
    job.phase += phases_;
    all_.jobs.push_back(job);
  }
  for (LaunchCommand launch : workload.launches) {
    launch.label = fmt::format("{}.{}", parts_.size(), launch.label);
    if (launch.job) *launch.job += part.first_job;
    last = std::max(last, launch.phase);
    launch.phase += phases_;
    all_.launches.push_back(std::move(launch));
  }
  phases_ += last + 1;
  parts_.push_back(part);
}

}  // namespace gputlm
