#include "platform/input/workload_file_trace.h"

#include <filesystem>

#include "models/kernel/random.h"
#include "platform/input/arrivals_form.h"
#include "platform/input/launch_numbers.h"
#include "platform/input/trace_files.h"
#include "platform/input/workload_file_forms.h"
#include "platform/input/workload_file_memory.h"

namespace gputlm {
namespace {

using schema::Json;

std::string path_of(const YamlNode& trace) {
  return (std::filesystem::path(trace.file()).parent_path() / trace.text()).lexically_normal().string();
}

}  // namespace

bool is_trace_application(const YamlNode& application) {
  if (!application.is_map()) return false;
  for (const auto& [key, value] : application.entries()) {
    if (key == "trace") return true;
  }
  return false;
}

const MapForm& trace_application_form() {
  static const MapForm form = [] {
    const Json launches =
        schema::any_of({schema::whole_number(1, ~std::uint64_t{0}),
                        schema::matching("^[1-9][0-9]*(-[1-9][0-9]*)?(,[1-9][0-9]*(-[1-9][0-9]*)?)*$")});
    MapForm made = MapForm("traced application");
    made.key("name", schema::text(), "In results; default that of the folder or file")
        .with(application_form())
        .key("trace", schema::text(), "A launch list, its folder, or a kernel's trace; relative to the file", kRequired)
        .key("kernels", schema::any_of({launches, schema::list(launches, 1)}), "Launches of the list, from 1: 3-9")
        .fields<StreamSpec>()
        .fields<LaunchCommand>({"budget"})
        .fields<TaskSpec>()
        .key("task", schema::text(), "Name of the task whose jobs its repetitions are; default the application's")
        .with(arrivals_form())
        .with(access_policy_window_key());
    return made;
  }();
  return form;
}

std::string default_trace_name(const YamlMap& map) { return trace_name(path_of(map.at("trace"))); }

void read_trace_application(const YamlMap& map, TraceRun run, std::size_t number, std::uint64_t seed,
                            Workload& workload, LaunchList& launches) {
  const YamlNode trace = map.at("trace");
  if (number == kMaxTraces) trace.fail("there are more than " + std::to_string(kMaxTraces) + " traces");
  LaunchNumbers numbers;
  const auto kernels = map.find("kernels");
  if (kernels) numbers = LaunchNumbers::read(*kernels);
  read_fields(map, run.stream);
  run.stream.access_policy_window = read_access_policy_window(map, workload.managed, number * kTraceAddresses);
  read_fields(map, run.launch);
  read_fields(map, run.task);
  ApplicationSpec& application = workload.applications[run.application];
  application.trace = path_of(trace);
  application.trace_launches = numbers.text();
  run.releases = read_arrivals(map, derive(seed, hash_name(application.name)));
  if (!run.task.min_interarrival) run.task.min_interarrival = read_min_interarrival(map);
  const auto task = map.find("task");
  if (task || run.releases.size() > 1 || run.task.deadline || map.find("jitter_us"))
    run.task.name = task ? task->text() : application.name;
  run.file = trace.file();
  run.line = trace.line();
  const Trace loaded = (kernels ? *kernels : trace).naming([&] {
    return load_trace(path_of(trace), numbers, number * kTraceAddresses);
  });
  add_trace(loaded, run, workload, launches);
}

}  // namespace gputlm
