#include "platform/input/workload_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "models/kernel/program_kernel.h"
#include "platform/files/json_text.h"
#include "platform/input/call_forms.h"
#include "platform/input/instances_form.h"
#include "platform/input/trace_application.h"
#include "platform/input/workload_file_kernel.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Json = nlohmann::ordered_json;
using Kind = HostCall::Kind;

constexpr Microseconds kTime{0, kMaxReleaseUs};

/// Formats an address as users write it.
Json address(Address value) { return fmt::format("{:#x}", value); }

/// Offset of a traced program's addresses; 0 for others, which have 47 bits.
Address offset_of(Address address) { return address / kTraceAddresses * kTraceAddresses; }

void write_window(const std::optional<AccessPolicyWindow>& window, Json& json) {
  if (!window) return;
  Json& entry = json["access_policy_window"] = {{"base", address(window->base - offset_of(window->base))}};
  write_fields(*window, entry);
}

Json microseconds(Femtoseconds time) { return forms::written(kTime, time); }

class Writer {
 public:
  Writer(const Workload& workload, const std::string& folder) : workload_(workload), folder_(folder) {
    for (std::size_t i = 0; i < workload.launches.size(); ++i) in_[workload.launches[i].stream].push_back(i);
  }

  Json write() {
    name_kernels();
    plan_streams();
    number_launches();
    Json file = Json::object();
    for (const std::string& setting : workload_.settings) {
      const std::size_t equals = setting.find('=');
      file["settings"][setting.substr(0, equals)] = setting.substr(equals + 1);
    }
    if (!workload_.instances.empty()) file["instances"] = written_instances(workload_.instances);
    for (const ManagedAllocation& managed : workload_.managed) {
      Json& entry = file["managed"][managed.name] = Json::object();
      write_fields(managed, entry);
      entry["address"] = address(managed.address);
    }
    if (!kernels_.empty()) file["kernels"] = kernels_;
    Json& applications = file["applications"] = Json::array();
    for (std::size_t a = 0; a < workload_.applications.size(); ++a)
      applications.push_back(application(static_cast<ApplicationId>(a)));
    return file;
  }

 private:
  // --- Kernels: identical ones share a definition ---

  void name_kernels() {
    std::map<std::string, std::string> keys;  // keys by source of the kernel
    std::map<std::string, std::size_t> taken;
    for (const LaunchCommand& launch : workload_.launches) {
      if (is_traced(launch) || key_of_.count(launch.kernel.get()) > 0) continue;
      const auto* const program = dynamic_cast<const ProgramKernel*>(launch.kernel.get());
      if (!program)
        throw InputError(launch.file, launch.line,
                         "launch " + launch.label + ": its kernel is written in C++, and has no form in a file");
      const auto [known, is_new] = keys.emplace(program->source(), program->name);
      if (is_new) {
        std::string& key = known->second;
        const std::size_t number = ++taken[program->name];
        if (number > 1) key += "#" + std::to_string(number);
        while (kernels_.contains(key)) key += "'";
        Json& kernel = kernels_[key] = Json::object();
        if (key != program->name) kernel["name"] = program->name;
        if (is_random(program->spec())) kernel["seed"] = program->seed();
        kernel.update(written_kernel(program->spec()));
      }
      key_of_[launch.kernel.get()] = known->second;
    }
  }

  bool is_traced(const LaunchCommand& launch) const {
    return !workload_.applications[workload_.streams[launch.stream].application].trace.empty();
  }

  // --- Which thread calls which stream ---

  static bool names_stream(const HostCall& call) { return call.has_stream() || call.kind == Kind::kSynchronizeStream; }

  /// A thread is written as a stream's commands if it calls only that stream and has its name, and such streams are in order.
  void plan_streams() {
    std::map<StreamId, std::set<std::size_t>> callers;
    for (std::size_t t = 0; t < workload_.threads.size(); ++t) {
      for (const HostCall& call : workload_.threads[t].calls) {
        if (names_stream(call)) callers[call.stream].insert(t);
      }
    }
    for (const auto& [stream, threads] : callers) called_.insert(stream);
    std::map<ApplicationId, std::optional<StreamId>> last;  // last stream written as its thread's commands
    std::set<ApplicationId> others;                         // applications that have another thread
    for (std::size_t t = 0; t < workload_.threads.size(); ++t) {
      const ThreadSpec& thread = workload_.threads[t];
      const auto own = std::find_if(callers.begin(), callers.end(), [&](const auto& caller) {
        const StreamSpec& stream = workload_.streams[caller.first];
        return caller.second == std::set<std::size_t>{t} && stream.name == thread.name &&
               stream.application == thread.application;
      });
      const bool alone = own != callers.end() && std::all_of(thread.calls.begin(), thread.calls.end(), [&](auto& call) {
                           return !names_stream(call) || call.stream == own->first;
                         });
      std::optional<StreamId>& before = last[thread.application];
      if (!alone || others.count(thread.application) > 0 || (before && *before > own->first)) {
        others.insert(thread.application);
        continue;
      }
      before = own->first;
      commands_of_[own->first] = t;
    }
  }

  // --- Order: launches are numbered by phase and position in their lists, as in a file ---

  void number_launches() {
    using Place = std::tuple<unsigned, std::size_t, std::size_t>;  // phase, position, in reading order
    std::vector<Place> places(workload_.launches.size());
    std::size_t read = 0;
    const auto note = [&](std::size_t launch, std::size_t position) {
      places[launch] = {workload_.launches[launch].phase, position, read++};
    };
    const auto note_thread = [&](std::size_t t) {
      const std::vector<HostCall>& calls = workload_.threads[t].calls;
      for (std::size_t c = 0; c < calls.size(); ++c) {
        if (calls[c].kind == Kind::kLaunch) note(calls[c].what, c);
      }
    };
    for (std::size_t a = 0; a < workload_.applications.size(); ++a) {
      for (std::size_t s = 0; s < workload_.streams.size(); ++s) {
        if (workload_.streams[s].application != a) continue;
        const auto commands = commands_of_.find(static_cast<StreamId>(s));
        if (commands != commands_of_.end()) {
          note_thread(commands->second);
        } else if (called_.count(static_cast<StreamId>(s)) == 0) {
          for (std::size_t i = 0; i < in_[s].size(); ++i) note(in_[s][i], i);
        }
      }
      for (const std::size_t t : threads_of(static_cast<ApplicationId>(a))) note_thread(t);
    }
    positions_ = !std::is_sorted(places.begin(), places.end());
  }

  /// Threads of an application that are written as threads.
  std::vector<std::size_t> threads_of(ApplicationId application) const {
    std::vector<std::size_t> threads;
    for (std::size_t t = 0; t < workload_.threads.size(); ++t) {
      const bool as_commands = std::any_of(commands_of_.begin(), commands_of_.end(),
                                           [&](const auto& commands) { return commands.second == t; });
      if (workload_.threads[t].application == application && !as_commands) threads.push_back(t);
    }
    return threads;
  }

  // --- Applications ---

  Json application(ApplicationId id) {
    const ApplicationSpec& spec = workload_.applications[id];
    Json json{{"name", spec.name}};
    write_fields(spec, json);
    if (spec.memory_budget) write_fields(*spec.memory_budget, json["memory_budget"] = Json::object());
    for (const ColouredAllocation& allocation : spec.allocations) {
      Json& entry = json["allocations"].emplace_back();
      entry["base"] = address(allocation.base - offset_of(allocation.base));
      write_fields(allocation, entry);
    }
    if (!spec.trace.empty()) {
      add_trace(id, json);
      return json;
    }
    Json& streams = json["streams"] = Json::array();
    for (std::size_t s = 0; s < workload_.streams.size(); ++s) {
      if (workload_.streams[s].application == id) streams.push_back(stream(static_cast<StreamId>(s)));
    }
    const std::vector<std::size_t> threads = threads_of(id);
    for (const std::size_t t : threads)
      json["threads"].push_back({{"name", workload_.threads[t].name}, {"calls", calls(t, true)}});
    return json;
  }

  Json stream(StreamId id) {
    const StreamSpec& spec = workload_.streams[id];
    Json json{{"name", spec.name}};
    write_fields(spec, json);
    write_window(spec.access_policy_window, json);
    if (spec.kind == StreamKind::kDefault) json["default"] = true;
    if (spec.kind == StreamKind::kNonBlocking) json["non_blocking"] = true;
    if (const auto commands = commands_of_.find(id); commands != commands_of_.end()) {
      json["commands"] = calls(commands->second, false);
    } else if (called_.count(id) == 0) {
      Json& launches = json["launches"] = Json::array();
      for (const std::size_t launch : in_[id]) launches.push_back(this->launch(launch, false, std::nullopt, false));
    }
    return json;
  }

  /// Properties of traces beyond their lists, from their streams, launches and jobs.
  void add_trace(ApplicationId id, Json& json) const {
    const ApplicationSpec& spec = workload_.applications[id];
    json["trace"] = path_from_folder(spec.trace);
    if (!spec.trace_launches.empty()) json["kernels"] = spec.trace_launches;
    const auto stream = std::find_if(workload_.streams.begin(), workload_.streams.end(),
                                     [&](const StreamSpec& s) { return s.application == id; });
    write_fields(*stream, json);
    write_window(stream->access_policy_window, json);
    const auto first = std::find_if(workload_.launches.begin(), workload_.launches.end(), [&](const LaunchCommand& l) {
      return workload_.streams[l.stream].application == id;
    });
    write_fields(*first, json);
    if (!first->job) {
      if (first->release > 0) json["release_us"] = microseconds(first->release);
      return;
    }
    const std::uint32_t task = workload_.jobs[*first->job].task;
    json["task"] = workload_.tasks[task].name;
    write_fields(workload_.tasks[task], json);
    for (const JobSpec& job : workload_.jobs) {
      if (job.task == task) json["releases_us"].push_back(microseconds(job.release));
    }
  }

  std::string path_from_folder(const std::string& path) const {
    const std::filesystem::path from =
        folder_.empty() ? std::filesystem::current_path() : std::filesystem::path(folder_);
    return std::filesystem::proximate(path, from).generic_string();
  }

  // --- Calls ---

  /// `thread`: whether calls name their streams.
  Json calls(std::size_t t, bool thread) const {
    const std::vector<HostCall>& all = workload_.threads[t].calls;
    return calls(all, 0, all.size(), thread, std::nullopt, false);
  }

  Json calls(const std::vector<HostCall>& all, std::size_t begin, std::size_t end, bool thread,
             std::optional<std::uint32_t> job, bool in_loop) const {
    Json list = Json::array();
    for (std::size_t c = begin; c < end; ++c) {
      const HostCall& call = all[c];
      if (call.kind == Kind::kReleaseJob) {
        const std::size_t behind = end_of_job(all, c, end);
        list.push_back(this->job(call.what, calls(all, c + 1, behind, thread, call.what, false)));
        c = behind - 1;
      } else if (call.kind == Kind::kLoop) {
        const std::size_t repeat = end_of_loop(all, c);
        Json loop{{"loop", calls(all, c + 1, repeat, thread, std::nullopt, true)}};
        if (all[repeat].count > 0) loop["count"] = all[repeat].count;
        if (all[repeat].time > 0) loop["time_us"] = microseconds(all[repeat].time);
        list.push_back(std::move(loop));
        c = repeat;
      } else {
        list.push_back(this->call(call, thread, job, in_loop));
      }
    }
    return list;
  }

  /// Index after the last command of the job.
  std::size_t end_of_job(const std::vector<HostCall>& all, std::size_t release, std::size_t end) const {
    std::size_t behind = release + 1;
    for (std::size_t c = release + 1; c < end && all[c].kind != Kind::kReleaseJob; ++c) {
      const auto of = all[c].kind == Kind::kLaunch ? workload_.launches[all[c].what].job
                      : all[c].kind == Kind::kCopy ? workload_.copies[all[c].what].job
                                                   : std::nullopt;
      if (of == all[release].what) behind = c + 1;
    }
    return behind;
  }

  static std::size_t end_of_loop(const std::vector<HostCall>& all, std::size_t loop) {
    std::size_t c = loop;
    while (all[c].kind != Kind::kRepeat || all[c].what != loop) ++c;
    return c;
  }

  Json job(std::uint32_t number, Json commands) const {
    const JobSpec& job = workload_.jobs[number];
    const TaskSpec& task = workload_.tasks[job.task];
    Json json{{"job", task.name}, {"task", task.name}};
    if (job.phase > 0) json["phase"] = job.phase;
    write_fields(task, json);
    if (task.wcet) write_fields(*task.wcet, json["wcet_us"] = Json::object());
    if (job.overruns) json["overruns"] = {{"jobs", {1}}};  // the only job of these commands
    if (job.release > 0) json["release_us"] = microseconds(job.release);
    if (job.when_reached) json["when_reached"] = true;
    json["commands"] = std::move(commands);
    return json;
  }

  Json call(const HostCall& call, bool thread, std::optional<std::uint32_t> job, bool in_loop) const {
    const auto with_stream = [&](Json json) {
      if (thread) json["stream"] = workload_.streams[call.stream].name;
      return json;
    };
    switch (call.kind) {
      case Kind::kLaunch: return launch(call.what, thread, job, in_loop);
      case Kind::kCopy: return with_stream(copy(call.what));
      case Kind::kRecordEvent: return with_stream({{"record", workload_.events[call.what].name}});
      case Kind::kWaitEvent: return with_stream({{"wait", workload_.events[call.what].name}});
      case Kind::kSynchronizeStream: return with_stream({{"synchronize", "stream"}});
      case Kind::kSynchronizeDevice: return {{"synchronize", "device"}};
      case Kind::kSynchronizeEvent: return {{"synchronize", "event"}, {"event", workload_.events[call.what].name}};
      case Kind::kHostFunction: return {{"host_us", microseconds(call.time)}};
      case Kind::kWaitUntil: return {{"wait_until_us", microseconds(call.time)}};
      case Kind::kBarrier: return {{"barrier", call.what}};
      case Kind::kReleaseJob:
      case Kind::kLoop:
      case Kind::kRepeat: break;  // calls() writes it
    }
    return {};
  }

  Json launch(std::size_t number, bool thread, std::optional<std::uint32_t> job, bool in_loop) const {
    const LaunchCommand& spec = workload_.launches[number];
    Json json{{"kernel", key_of_.at(spec.kernel.get())}};
    if (thread) json["stream"] = workload_.streams[spec.stream].name;
    if (spec.label != json["kernel"]) json["label"] = spec.label;
    if (spec.phase > 0) json["phase"] = spec.phase;
    if (positions_) json["position"] = number;
    write_fields(spec, json);
    write_window(spec.access_policy_window, json);
    if (spec.job && !job && !in_loop) {
      TaskSpec task = workload_.tasks[workload_.jobs[*spec.job].task];
      json["task"] = task.name;
      task.deadline.reset();  // it belongs to the launch
      write_fields(task, json);
      if (task.wcet) write_fields(*task.wcet, json["wcet_us"] = Json::object());
    }
    const Femtoseconds release = spec.release - (job ? workload_.jobs[*job].release : 0);
    if (release > 0) json["release_us"] = microseconds(release);
    return json.size() == 1 && !thread ? json["kernel"] : json;
  }

  Json copy(std::size_t number) const {
    const CopyCommand& spec = workload_.copies[number];
    const bool memset = spec.kind == CopyKind::kMemset;
    Json json = memset ? Json{{"memset", spec.bytes}} : Json{{"copy", to_string(spec.kind)}, {"bytes", spec.bytes}};
    json["label"] = spec.label;
    if (!memset) json["from"] = address(spec.from);
    json["to"] = address(spec.to);
    write_fields(spec, json);
    return json;
  }

  const Workload& workload_;
  const std::string& folder_;
  Json kernels_ = Json::object();
  std::map<const Kernel*, std::string> key_of_;
  std::map<StreamId, std::vector<std::size_t>> in_;  ///< launches of each stream
  std::set<StreamId> called_;                        ///< streams that threads call
  std::map<StreamId, std::size_t> commands_of_;      ///< thread that is written as the commands of the stream
  bool positions_ = false;                           ///< launches are written with their positions
};

}  // namespace

Json written_workload(const Workload& workload, const std::string& folder) { return Writer(workload, folder).write(); }

std::string workload_yaml(const Workload& workload, const std::string& folder) {
  std::string text;
  for (const std::string& warning : workload.warnings) text += "# " + warning + "\n";
  return text + yaml_text(written_workload(workload, folder));
}

}  // namespace gputlm
