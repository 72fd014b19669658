#include "platform/input/workload_file_parts.h"

#include <algorithm>
#include <utility>

#include "platform/input/arrivals_form.h"
#include "platform/input/criticality_form.h"
#include "platform/input/nearest.h"
#include "platform/input/workload_file_kernel.h"

namespace gputlm {

void DefinedKernels::define(const std::string& name, ProgramSpec spec, std::optional<std::uint64_t> seed) {
  auto kernel = std::make_shared<ProgramKernel>(spec, seed.value_or(seed_));
  names_.push_back(name);
  definitions_.emplace(name, Definition{std::move(spec), seed.value_or(seed_), std::move(kernel)});
}

std::shared_ptr<ProgramKernel> DefinedKernels::launch(const YamlNode& name, const YamlMap* shape) {
  const auto found = definitions_.find(name.text());
  if (found == definitions_.end())
    name.fail("no kernel is named '" + name.text() + "'" + suggestion(name.text(), names_));
  launched_.insert(name.text());
  const Definition& definition = found->second;
  const bool other = shape && (shape->find("grid") || shape->find("block") || shape->find("cluster"));
  std::shared_ptr<ProgramKernel> kernel = other ? reshaped(name.text(), definition, *shape) : definition.kernel;
  if (used_.insert(kernel.get()).second) {
    for (const std::string& warning : kernel->warnings()) {
      if (warned_.insert(warning).second) warnings_.push_back(warning);
    }
  }
  return kernel;
}

std::shared_ptr<ProgramKernel> DefinedKernels::reshaped(const std::string& name, const Definition& of,
                                                        const YamlMap& shape) {
  ProgramSpec spec = of.spec;
  if (const auto grid = shape.find("grid")) spec.grid = read_grid(*grid);
  if (const auto block = shape.find("block")) spec.block = read_block(*block);
  if (const auto cluster = shape.find("cluster")) spec.cluster = forms::read(*cluster, kClusterShape);
  spec.line = shape.node().line();
  std::shared_ptr<ProgramKernel>& kernel =
      reshaped_[Shape(name, {spec.grid.x, spec.grid.y, spec.grid.z, spec.block.x, spec.block.y, spec.block.z,
                             spec.cluster.x, spec.cluster.y, spec.cluster.z})];
  if (!kernel) kernel = std::make_shared<ProgramKernel>(spec, of.seed);
  return kernel;
}

void DefinedKernels::warn_of_the_others() {
  for (const std::string& name : names_) {
    if (launched_.count(name) == 0) warnings_.push_back("kernel '" + name + "' is never launched");
  }
}

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
    name.fail("the jobs of task '" + name.text() + "' have different deadlines, but must have the same");
  if (task.min_interarrival != spec.min_interarrival)
    name.fail("the jobs of task '" + name.text() + "' have different min_interarrival_us, but must have the same");
  if (task.criticality != spec.criticality || task.in_hi_mode != spec.in_hi_mode ||
      task.degraded_every != spec.degraded_every)
    name.fail("the jobs of task '" + name.text() + "' have different criticalities, but must have the same");
  return found->second;
}

std::uint32_t FileTasks::add_job(std::uint32_t task, Femtoseconds release, unsigned phase) {
  workload_.jobs.push_back({task, jobs_of_[task]++, release, phase});
  return static_cast<std::uint32_t>(workload_.jobs.size() - 1);
}

}  // namespace gputlm
