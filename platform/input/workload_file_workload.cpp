/// An application of a workload file that comes from another workload file: `workload: PATH`, relative to the file.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "models/kernel/sass_kernel.h"
#include "platform/input/application_alone.h"
#include "platform/input/application_source.h"
#include "platform/input/nearest.h"
#include "platform/input/variants.h"
#include "platform/input/workload_file.h"
#include "platform/input/workload_file_forms.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

std::string path_of(const YamlMap& map) {
  const YamlNode node = map.at("workload");
  return (std::filesystem::path(node.file()).parent_path() / node.text()).lexically_normal().string();
}

const MapForm& workload_application_form() {
  static const MapForm form =
      MapForm("application of another file")
          .key("name", schema::text(), "Name in results; default: that of `application`, or else of the file")
          .with(application_form())
          .key("workload", schema::text(), "Path of a workload file, or FILE#VARIANT, relative to the file", kRequired)
          .key("application", schema::text(), "Name of one of its applications; required if it has several")
          .key("priority", schema::signed_number(kMinPriority, kMaxPriority),
               "Priority of all its streams, instead of their own; lower is more urgent");
  return form;
}

/// Adds a workload of one application as an application of another workload.
class Adder {
 public:
  Adder(const SourcedApplication& into, const Workload& from)
      : into_(into), to_(into.workload), from_(from), first_stream_(static_cast<StreamId>(to_.streams.size())),
        first_copy_(to_.copies.size()), first_event_(to_.events.size()), first_task_(to_.tasks.size()),
        first_job_(to_.jobs.size()) {}

  void add(const std::optional<int>& priority) {
    for (StreamSpec stream : from_.streams) {
      stream.application = into_.application;
      if (priority) stream.priority = *priority;
      to_.streams.push_back(std::move(stream));
    }
    for (EventSpec event : from_.events) {
      event.application = into_.application;
      to_.events.push_back(std::move(event));
    }
    for (TaskSpec task : from_.tasks) {
      task.application = into_.application;
      task.name = into_.label_prefix + task.name;
      to_.tasks.push_back(std::move(task));
    }
    for (JobSpec job : from_.jobs) {
      job.task += static_cast<std::uint32_t>(first_task_);
      to_.jobs.push_back(job);
    }
    for (const CopyCommand& copy : from_.copies) to_.copies.push_back(moved(copy));
    for (const ThreadSpec& thread : from_.threads) add(thread);
    add_launches_of_streams();
    to_.warnings.insert(to_.warnings.end(), from_.warnings.begin(), from_.warnings.end());
  }

 private:
  template <class Command>
  Command moved(Command command) const {
    command.label = into_.label_prefix + command.label;
    command.stream = static_cast<StreamId>(command.stream + first_stream_);
    if (command.job) *command.job += static_cast<std::uint32_t>(first_job_);
    return command;
  }

  void add(const ThreadSpec& thread) {
    using Kind = HostCall::Kind;
    const std::size_t place = to_.threads.size();
    ThreadSpec made = thread;
    made.application = into_.application;
    made.calls.clear();
    to_.threads.push_back(std::move(made));
    for (HostCall call : thread.calls) {
      if (call.kind == Kind::kLaunch) {
        into_.launches.add(to_, moved(from_.launches[call.what]), to_.threads[place].calls.size(), place);
        launched_[call.what] = true;
        continue;
      }
      if (call.has_stream() || call.kind == Kind::kSynchronizeStream)
        call.stream = static_cast<StreamId>(call.stream + first_stream_);
      if (call.kind == Kind::kCopy) call.what += static_cast<std::uint32_t>(first_copy_);
      if (call.kind == Kind::kRecordEvent || call.kind == Kind::kWaitEvent || call.kind == Kind::kSynchronizeEvent)
        call.what += static_cast<std::uint32_t>(first_event_);
      if (call.kind == Kind::kReleaseJob) call.what += static_cast<std::uint32_t>(first_job_);
      to_.threads[place].calls.push_back(call);
    }
  }

  void add_launches_of_streams() {
    std::map<StreamId, std::size_t> positions;
    for (std::size_t i = 0; i < from_.launches.size(); ++i) {
      if (launched_.count(static_cast<std::uint32_t>(i)) > 0) continue;
      LaunchCommand launch = moved(from_.launches[i]);
      const std::size_t position = positions[launch.stream]++;
      into_.launches.add(to_, std::move(launch), position, std::nullopt);
    }
  }

  const SourcedApplication& into_;
  Workload& to_;
  const Workload& from_;
  StreamId first_stream_;
  std::size_t first_copy_, first_event_, first_task_, first_job_;
  std::map<std::uint32_t, bool> launched_;  ///< launches that threads make
};

/// Index of the application that the mapping names.
ApplicationId wanted(const YamlMap& map, const Workload& workload) {
  std::vector<std::string> names;
  for (const ApplicationSpec& application : workload.applications) names.push_back(application.name);
  const auto given = map.find("application");
  if (!given) {
    if (names.size() > 1) map.at("workload").fail("the file has several applications; `application` must name one");
    return 0;
  }
  const auto found = std::find(names.begin(), names.end(), given->text());
  if (found == names.end())
    given->fail("the file has no application '" + shortened(given->text()) + "'" + suggestion(given->text(), names));
  return static_cast<ApplicationId>(found - names.begin());
}

void read_workload_application(const YamlMap& map, const SourcedApplication& into) {
  const YamlNode node = map.at("workload");
  if (into.nested) node.fail("the application itself comes from another file; name that file");
  const Workload all = node.naming([&] { return load_workload(path_of(map), into.seed, into.gpu, into.addresses); });
  const Workload one = application_alone(all, wanted(map, all));
  if (!one.managed.empty()) node.fail("the file has managed memory, which is allowed only in the file that is run");
  for (const LaunchCommand& launch : one.launches) {
    if (dynamic_cast<const SassKernel*>(launch.kernel.get()))
      node.fail("the application is a trace there; use `trace: PATH` here");
  }
  std::optional<int> priority;
  if (const auto given = map.find("priority"))
    priority = static_cast<int>(given->signed_number(kMinPriority, kMaxPriority));
  Adder(into, one).add(priority);
}

GPUTLM_REGISTER {
  ApplicationSource source;
  source.name = "workload";
  source.form_name = "application of another file";
  source.form = workload_application_form;
  source.default_name = [](const YamlMap& map) {
    if (const auto application = map.find("application")) return application->text();
    return std::filesystem::path(variant_path(path_of(map)).file).stem().string();
  };
  source.read = read_workload_application;
  application_sources().add(std::move(source));
}

}  // namespace
}  // namespace gputlm
