#include "platform/input/application_source.h"

#include <filesystem>
#include <utility>

#include "models/kernel/random.h"
#include "platform/input/arrivals_form.h"
#include "platform/input/launch_list.h"
#include "platform/input/trace_application.h"
#include "platform/input/trace_files.h"
#include "platform/input/workload_file_forms.h"
#include "platform/input/workload_file_memory.h"

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
          .key("task", schema::text(),
               "Name of the task to which its repetitions belong as jobs; default: the application's name")
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

// A traced program as an application of a workload file: `trace: PATH`, relative to the file.

namespace {

using schema::Json;

std::string path_of(const YamlNode& trace) {
  return (std::filesystem::path(trace.file()).parent_path() / trace.text()).lexically_normal().string();
}

const MapForm& trace_application_form() {
  static const MapForm form = [] {
    const Json launches =
        schema::any_of({schema::whole_number(1, ~std::uint64_t{0}),
                        schema::matching("^[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*$")});
    MapForm made = MapForm("traced application");
    made.key("name", schema::text(), "Name in results; default: that of the folder or file")
        .with(application_form())
        .key("trace", schema::text(), "Path of a launch list, its folder, or a kernel trace, relative to the file",
             kRequired)
        .key("kernels", schema::any_of({launches, schema::list(launches, 1)}), "Launches of the list, from 1: 3-9")
        .fields<StreamSpec>()
        .fields<LaunchCommand>({"budget"})
        .with(sourced_jobs_form())
        .with(access_policy_window_key());
    return made;
  }();
  return form;
}

void read_trace_application(const YamlMap& map, const SourcedApplication& into) {
  const YamlNode trace = map.at("trace");
  if (into.number == kMaxTraces) trace.fail("there are more than " + std::to_string(kMaxTraces) + " traces");
  TraceRun run;
  run.application = into.application;
  run.label_prefix = into.label_prefix;
  LaunchNumbers numbers;
  const auto kernels = map.find("kernels");
  if (kernels) numbers = LaunchNumbers::read(*kernels);
  read_fields(map, run.stream);
  const Address offset = into.number * kTraceAddresses;
  run.stream.access_policy_window = read_access_policy_window(map, into.workload.managed, offset);
  read_fields(map, run.launch);
  ApplicationSpec& application = into.workload.applications[run.application];
  application.trace = path_of(trace);
  application.trace_launches = numbers.text();
  SourcedJobs jobs = read_sourced_jobs(map, application, into.seed);
  run.releases = std::move(jobs.releases);
  run.task = std::move(jobs.task);
  run.file = trace.file();
  run.line = trace.line();
  const Trace loaded = (kernels ? *kernels : trace).naming([&] { return load_trace(path_of(trace), numbers, offset); });
  add_trace(loaded, run, into.workload, into.launches);
}

GPUTLM_REGISTER {
  ApplicationSource source;
  source.name = "trace";
  source.form_name = "traced application";
  source.form = trace_application_form;
  source.default_name = [](const YamlMap& map) { return trace_name(path_of(map.at("trace"))); };
  source.first_address = [](std::size_t number) { return number * kTraceAddresses; };
  source.read = read_trace_application;
  application_sources().add(std::move(source));
}

}  // namespace

}  // namespace gputlm
