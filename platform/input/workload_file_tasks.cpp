#include "platform/input/workload_file_tasks.h"

#include <algorithm>
#include <utility>

#include "platform/input/arrivals_form.h"
#include "platform/input/criticality_form.h"

namespace gputlm {

TaskSpec FileTasks::read(const YamlMap& map, std::string name) {
  TaskSpec spec;
  read_fields(map, spec);
  spec.wcet = read_wcet(map);
  spec.name = std::move(name);
  spec.file = map.node().file();
  spec.line = map.node().line();
  if (!spec.min_interarrival) spec.min_interarrival = read_min_interarrival(map);
  return spec;
}

std::uint32_t FileTasks::add(TaskSpec spec) {
  const bool met = std::any_of(workload_.tasks.begin(), workload_.tasks.end(),
                               [&](const TaskSpec& task) { return task.name == spec.name; });
  if (met) spec.name += " (line " + std::to_string(spec.line) + ")";
  spec.application = static_cast<ApplicationId>(workload_.applications.size() - 1);
  workload_.tasks.push_back(std::move(spec));
  return static_cast<std::uint32_t>(workload_.tasks.size() - 1);
}

std::uint32_t FileTasks::named(const YamlNode& name, TaskSpec spec) {
  const auto [found, is_new] = named_.emplace(name.text(), 0);
  if (is_new) {
    spec.name = name.text();
    spec.line = name.line();
    found->second = add(std::move(spec));
    return found->second;
  }
  const TaskSpec& task = workload_.tasks[found->second];
  if (task.deadline != spec.deadline)
    name.fail("the jobs of task '" + name.text() + "' have other deadlines, but must have one");
  if (task.min_interarrival != spec.min_interarrival)
    name.fail("the jobs of task '" + name.text() + "' have other min_interarrival_us, but must have one");
  if (task.criticality != spec.criticality || task.in_hi_mode != spec.in_hi_mode ||
      task.degraded_every != spec.degraded_every)
    name.fail("the jobs of task '" + name.text() + "' have another criticality, but must have one");
  return found->second;
}

std::uint32_t FileTasks::add_job(std::uint32_t task, Femtoseconds release, unsigned phase) {
  workload_.jobs.push_back({task, jobs_of_[task]++, release, phase});
  return static_cast<std::uint32_t>(workload_.jobs.size() - 1);
}

}  // namespace gputlm
