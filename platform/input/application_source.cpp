#include "platform/input/application_source.h"

#include "models/kernel/random.h"
#include "platform/input/arrivals_form.h"

namespace gputlm {

Registry<ApplicationSource>& application_sources() {
  static Registry<ApplicationSource> registry("source of applications");
  return registry;
}

const ApplicationSource* application_source(const YamlNode& application) {
  if (!application.is_map()) return nullptr;
  for (const auto& [key, value] : application.entries()) {
    for (const ApplicationSource& source : application_sources()) {
      if (key == source.name) return &source;
    }
  }
  return nullptr;
}

const MapForm& sourced_jobs_form() {
  static const MapForm form =
      MapForm("jobs of an application")
          .fields<TaskSpec>()
          .key("task", schema::text(), "Name of the task whose jobs its repetitions are; default the application's")
          .with(arrivals_form());
  return form;
}

SourcedJobs read_sourced_jobs(const YamlMap& map, const ApplicationSpec& application, std::uint64_t seed) {
  SourcedJobs jobs;
  read_fields(map, jobs.task);
  jobs.releases = read_arrivals(map, derive(seed, hash_name(application.name)));
  if (!jobs.task.min_interarrival) jobs.task.min_interarrival = read_min_interarrival(map);
  const auto task = map.find("task");
  if (task || jobs.releases.size() > 1 || jobs.task.deadline || map.find("jitter_us") || map.find("criticality"))
    jobs.task.name = task ? task->text() : application.name;
  return jobs;
}

}  // namespace gputlm
