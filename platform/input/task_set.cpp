#include "platform/input/task_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "models/kernel/program_kernel.h"
#include "models/kernel/random.h"
#include "platform/input/criticality_form.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

constexpr std::array<std::uint32_t, 5> kThreads{64, 128, 256, 512, 1024};
constexpr Femtoseconds kTenth = 100'000'000;  // a tenth of a microsecond
constexpr unsigned kMostDraws = 1000;         // draws of a set that has a task above the limit
constexpr std::uint64_t kMostJobs = 1000000;  // jobs of a set: a short file must not exhaust the memory
enum Draw : std::uint64_t { kDrawRelease = 1, kDrawOverrun };

double in_us(Femtoseconds time) { return static_cast<double>(time) / 1e9; }

/// The draws of a set, in sequence.
class Draws {
 public:
  explicit Draws(std::uint64_t key) : key_(key) {}
  std::uint64_t bits() { return derive(key_, next_++); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  double logarithmic(Femtoseconds least, Femtoseconds most) {
    return in_us(least) * std::pow(in_us(most) / in_us(least), uniform());
  }

 private:
  std::uint64_t key_, next_ = 0;
};

/// Rounded to tenths of a microsecond: the last digit of pow() differs between platforms.
Femtoseconds rounded(double us) {
  return static_cast<Femtoseconds>(std::max<long long>(std::llround(us * 10), 1)) * kTenth;
}

/// False if a task needs more than all of the time.
bool draw(const TaskSetSpec& spec, const GpuConfig& gpu, Draws& draws, std::vector<DrawnTask>& set) {
  bool fits = true;
  double left = spec.utilisation;
  for (std::uint32_t t = 1; t <= spec.tasks; ++t) {
    const double rest = t < spec.tasks ? left * std::pow(draws.uniform(), 1.0 / (spec.tasks - t)) : 0;
    const double period = draws.logarithmic(spec.shortest_period, spec.longest_period), takes = (left - rest) * period;
    fits = fits && takes <= period;
    left = rest;
    const double block = draws.logarithmic(spec.shortest_block, spec.longest_block);
    DrawnTask task;
    task.period = rounded(period);
    const std::uint64_t threads = draws.bits();
    task.threads = spec.threads.value_or(kThreads.at(uniform_below(threads, kThreads.size())));
    const auto places = gpu.sms * std::max(1u, std::min(gpu.sm.threads / task.threads, gpu.sm.blocks));
    const std::uint64_t missing = draws.bits();
    if (spec.blocks) {
      task.blocks = *spec.blocks;
      task.waves = (task.blocks + places - 1) / places;
    } else {
      task.waves = static_cast<std::uint32_t>(std::max(1.0, std::round(takes / block)));
      task.blocks = task.waves * places - static_cast<std::uint32_t>(uniform_below(missing, places));
    }
    task.block = rounded(takes / task.waves);
    set.push_back(task);
  }
  return fits;
}

std::shared_ptr<Kernel> kernel_of(const std::string& name, const DrawnTask& task, Femtoseconds block) {
  ProgramSpec spec;
  spec.name = name;
  spec.grid = {task.blocks};
  spec.block = {task.threads};
  spec.registers_per_thread = 16;  // too few to limit the blocks per SM
  spec.body = {spin(block)};
  return std::make_shared<ProgramKernel>(spec, 0);
}

Femtoseconds scaled(Femtoseconds time, double factor) {
  return static_cast<Femtoseconds>(std::llround(in_us(time) * factor * 1e4)) * (kTenth / 1000);
}

}  // namespace

std::vector<DrawnTask> draw_task_set(const TaskSetSpec& spec, const GpuConfig& gpu, std::uint64_t key) {
  Draws draws(key);
  std::vector<DrawnTask> set;
  for (unsigned tries = 0; !draw(spec, gpu, draws, set); set.clear()) {
    if (++tries == kMostDraws)
      throw InputError(fmt::format("found no set of {} tasks with a utilisation of {} in which no task has more than 1",
                                   spec.tasks, spec.utilisation));
  }
  for (DrawnTask& task : set) task.hi = spec.hi_share > 0 && draws.uniform() < spec.hi_share;
  const bool by_level = spec.priorities == TaskSetSpec::Priorities::kCriticality;
  std::stable_sort(set.begin(), set.end(), [&](const DrawnTask& a, const DrawnTask& b) {
    return by_level && a.hi != b.hi ? a.hi : a.period < b.period;
  });
  return set;
}

Femtoseconds longest_period(const std::vector<DrawnTask>& set) {
  Femtoseconds longest = 0;
  for (const DrawnTask& task : set) longest = std::max(longest, task.period);
  return longest;
}

std::uint64_t task_set_key(const TaskSetSpec& spec, std::uint64_t seed) {
  return derive(derive(mix(spec.seed.value_or(seed)), hash_name("uunifast")), spec.number);
}

std::vector<Femtoseconds> first_releases(const TaskSetSpec& spec, const std::vector<DrawnTask>& set,
                                         std::uint64_t key) {
  std::vector<Femtoseconds> first(set.size());
  if (spec.release == TaskSetSpec::Release::kTogether) return first;
  for (std::size_t t = 0; t < set.size(); ++t)
    first[t] = uniform_below(derive(derive(key, kDrawRelease), t), set[t].period);
  return first;
}

void add_task_set(const TaskSetSpec& spec, const std::vector<DrawnTask>& set, const std::vector<Femtoseconds>& first,
                  const ApplicationSpec& like, std::uint64_t key, Workload& workload, LaunchList& launches) {
  const Femtoseconds until = spec.duration.value_or(2 * longest_period(set));
  std::uint64_t jobs = 0;
  for (const DrawnTask& task : set) jobs += until / task.period + 1;
  if (jobs > kMostJobs)
    throw InputError(like.file, like.line,
                     fmt::format("the set has {} jobs, but at most {} are allowed", jobs, kMostJobs));
  const bool levels = spec.priorities != TaskSetSpec::Priorities::kNone;
  for (std::size_t t = 0; t < set.size(); ++t) {
    const DrawnTask& task = set[t];
    const auto application = static_cast<ApplicationId>(workload.applications.size());
    const auto stream = static_cast<StreamId>(workload.streams.size());
    const auto number = static_cast<std::uint32_t>(workload.tasks.size());
    const std::string name = fmt::format("{}{}", spec.name, t);
    workload.applications.push_back(like);
    workload.applications.back().name = name;
    StreamSpec of_task{name, application, levels ? static_cast<int>(t) - static_cast<int>(set.size()) + 1 : 0};
    of_task.file = like.file;
    of_task.line = like.line;
    workload.streams.push_back(std::move(of_task));
    const Femtoseconds deadline = scaled(task.period, spec.deadline);
    TaskSpec spec_of{name, application, deadline};
    spec_of.criticality = task.hi ? Criticality::kHi : Criticality::kLo;
    spec_of.in_hi_mode = spec.in_hi_mode;
    spec_of.degraded_every = spec.degraded_every;
    workload.tasks.push_back(std::move(spec_of));
    std::optional<std::size_t> thread;  // thread of a task if a job has more than one launch
    if (task.hi) {
      thread = workload.threads.size();
      workload.threads.push_back({name, application});
    }
    const std::shared_ptr<Kernel> kernel = kernel_of(name, task, task.block);
    const std::shared_ptr<Kernel> beyond =
        task.hi ? kernel_of(name + ".beyond", task, scaled(task.block, spec.hi_factor - 1)) : nullptr;
    std::size_t position = 0;
    for (std::uint32_t j = 0; j == 0 || j * task.period + first[t] < until; ++j) {
      JobSpec job{number, j, j * task.period + first[t]};
      job.overruns = task.hi && happens(derive(derive(derive(key, kDrawOverrun), t), j), spec.overrun);
      LaunchCommand command;
      command.label = name;
      command.stream = stream;
      command.kernel = kernel;
      command.release = job.release;
      if (!task.hi) command.deadline = deadline;
      command.job = static_cast<std::uint32_t>(workload.jobs.size());
      command.file = like.file;
      command.line = like.line;
      if (thread) {
        HostCall released{HostCall::Kind::kReleaseJob, 0, *command.job, 0, like.line};
        workload.threads[*thread].calls.push_back(released);
      }
      workload.jobs.push_back(job);
      launches.add(workload, command, position++, thread);
      if (!task.hi) continue;
      command.label += ".beyond";
      command.kernel = beyond;
      command.beyond_budget = true;
      launches.add(workload, std::move(command), position++, thread);
    }
  }
}

}  // namespace gputlm
