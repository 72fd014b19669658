#include "platform/input/workload_file.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "models/kernel/random.h"
#include "platform/input/launch_list.h"
#include "platform/input/nearest.h"
#include "platform/input/run_input.h"
#include "platform/input/workload_file_application.h"
#include "platform/input/workload_file_arrivals.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/workload_file_kernels.h"
#include "platform/input/workload_file_memory.h"
#include "platform/input/workload_file_trace.h"
#include "platform/input/workload_limits.h"
#include "platform/input/yaml_reader.h"
#include "tlm/error.h"

namespace gputlm {
namespace {

constexpr std::size_t kMaxApplications = 65536;  // ApplicationId has 16 bits
constexpr std::uint64_t kMaxValues = 10000000;   // of `applications`, those of a repetition counted each time

/// Values in the file at and below `node`, what is repeated counted as often as it is. Repetitions are kept one by one:
/// a short file must not fill the memory.
std::uint64_t values_with_repetitions(const YamlNode& node) {
  std::uint64_t values = 1, times = 1;
  if (node.is_list()) {
    for (const YamlNode& item : node.items()) values += values_with_repetitions(item);
  } else if (node.is_map()) {
    for (const auto& [key, value] : node.entries()) {
      values += values_with_repetitions(value);
      if (key == "repeat") times = value.unsigned_number(1, kMaxRepeats);
    }
  }
  if (values > kMaxValues / times)
    node.fail("found more than " + std::to_string(kMaxValues) + " values, counting each repetition");
  return values * times;
}

class Reader {
 public:
  explicit Reader(std::uint64_t seed) : seed_(seed) {}

  Workload read(const YamlNode& root) {
    const YamlMap map(root, {"managed", "kernels", "applications"});
    if (const auto managed = map.find("managed")) {
      for (const auto& [name, node] : managed->entries())
        workload_.managed.push_back(read_managed(name, node, addresses_));
    }
    const YamlNode applications = map.at("applications");
    const std::vector<YamlNode> items = applications.items();
    if (map.find("kernels") || !std::all_of(items.begin(), items.end(), is_trace_application)) {
      for (const auto& [name, node] : map.at("kernels").entries())
        kernels_.define(name, read_kernel(name, node, addresses_, workload_.managed));
    }
    values_with_repetitions(applications);
    alone_ = items.size() == 1;
    for (const YamlNode& node : items) application(node);
    if (launches_.size() == 0 && workload_.copies.empty()) applications.fail("nothing is launched");
    kernels_.warn_of_the_others();
    launches_.move_to(workload_);
    check_waits(workload_);
    return std::move(workload_);
  }

 private:
  /// Streams, events and allocations of the application that is being read, by name.
  struct Names {
    std::vector<std::string> streams;  // in order
    std::vector<bool> has_list;        // of launches or commands, each of them
    StreamId first_stream = 0;
    std::map<std::string, std::uint32_t> events;
    std::set<std::string> recorded;
    bool has_default_stream = false;
    Allocations allocations;
  };

  void application(const YamlNode& node) {
    const bool is_trace = is_trace_application(node);
    const YamlMap map(
        node, application_keys(is_trace ? trace_application_keys() : std::vector<std::string>{"streams", "threads"}));
    const auto given = is_trace ? map.find("name") : map.at("name");
    const std::string name = given ? given->text() : default_trace_name(map);
    auto& applications = workload_.applications;
    if (!application_names_.insert(name).second)
      (given ? *given : node).fail("a second application is named '" + name + "', but names must differ");
    if (applications.size() == kMaxApplications)
      node.fail("there are more than " + std::to_string(kMaxApplications) + " applications");
    applications.push_back(read_application(map, name));
    if (is_trace) {
      TraceRun run;
      run.application = static_cast<ApplicationId>(applications.size() - 1);
      if (!alone_) run.label_prefix = name + "/";
      read_trace_application(map, std::move(run), traces_++, seed_, workload_, launches_);
      return;
    }
    own_ = Names{};
    own_.first_stream = static_cast<StreamId>(workload_.streams.size());
    const std::size_t launched_before = launches_.size(), copied_before = workload_.copies.size();
    const YamlNode list = map.at("streams");
    const bool has_threads = map.find("threads").has_value();
    for (const YamlNode& item : list.items()) stream(item, has_threads);
    if (own_.streams.empty()) list.fail("the list is empty, but an application needs a stream");
    const std::size_t first_thread = workload_.threads.size();
    if (const auto threads = map.find("threads")) {
      std::set<std::string> names;
      for (const YamlNode& item : threads->items()) thread(item, names);
      check_streams_are_fed(*threads, first_thread);
    }
    if (applications.back().relaunch && launches_.size() == launched_before && workload_.copies.size() == copied_before)
      map.at("relaunch").fail("the application launches nothing that could be launched again");
  }

  /// Each stream of the application has a list of its own, or calls of the threads from `first` on.
  void check_streams_are_fed(const YamlNode& threads, std::size_t first) const {
    std::vector<bool> called(own_.streams.size(), false);
    for (std::size_t t = first; t < workload_.threads.size(); ++t) {
      for (const HostCall& call : workload_.threads[t].calls) {
        if (call.has_stream()) called[call.stream - own_.first_stream] = true;
      }
    }
    for (std::size_t s = 0; s < called.size(); ++s) {
      if (called[s] && own_.has_list[s])
        threads.fail("a thread calls stream '" + own_.streams[s] + "', which has 'launches' or 'commands' of its own");
      if (!called[s] && !own_.has_list[s])
        threads.fail("no thread calls stream '" + own_.streams[s] + "', which has neither 'launches' nor 'commands'");
    }
  }

  void stream(const YamlNode& node, bool has_threads) {
    const YamlMap map(node, {"name", "priority", "default", "non_blocking", "launches", "commands"});
    const YamlNode name = map.at("name");
    if (std::find(own_.streams.begin(), own_.streams.end(), name.text()) != own_.streams.end())
      name.fail("a second stream of the application is named '" + name.text() + "', but names must differ");
    own_.streams.push_back(name.text());
    StreamSpec spec;
    spec.name = name.text();
    spec.application = static_cast<ApplicationId>(workload_.applications.size() - 1);
    spec.file = node.file();
    spec.line = node.line();
    if (const auto priority = map.find("priority")) {
      spec.priority = static_cast<int>(priority->signed_number(kMinPriority, kMaxPriority));
      spec.line = priority->line();
    }
    spec.kind = stream_kind(map);
    workload_.streams.push_back(spec);
    const auto stream = static_cast<StreamId>(workload_.streams.size() - 1);
    Feed feed;
    if (const auto commands = map.find("commands")) {
      if (map.find("launches")) commands->fail("a stream has 'launches' or 'commands', not both");
      feed.thread = add_thread(spec.name, node);
      own_.has_list.push_back(true);
      for (const YamlNode& item : commands->items()) call(item, stream, feed);
    } else if (!has_threads || map.find("launches")) {
      own_.has_list.push_back(true);
      for (const YamlNode& item : map.at("launches").items()) launch(item, stream, feed);
    } else {
      own_.has_list.push_back(false);
    }
  }

  StreamKind stream_kind(const YamlMap& map) {
    const auto is = [&](const char* key) {
      const auto node = map.find(key);
      return node && node->boolean();
    };
    if (is("non_blocking")) {
      if (is("default")) map.node().fail("a stream is 'default' or 'non_blocking', not both");
      return StreamKind::kNonBlocking;
    }
    if (!is("default")) return StreamKind::kBlocking;
    if (own_.has_default_stream) map.at("default").fail("a second stream of the application is its default stream");
    own_.has_default_stream = true;
    return StreamKind::kDefault;
  }

  /// What makes the launches that are being read: a thread of its own, if any, and how far it has come.
  struct Feed {
    std::optional<std::size_t> thread = std::nullopt;
    unsigned phase = 0;
    std::size_t position = 0;
  };

  std::size_t add_thread(const std::string& name, const YamlNode& node) {
    const auto application = static_cast<ApplicationId>(workload_.applications.size() - 1);
    workload_.threads.push_back({name, application, {}, node.file()});
    return workload_.threads.size() - 1;
  }

  void thread(const YamlNode& node, std::set<std::string>& names) {
    const YamlMap map(node, {"name", "calls"});
    const YamlNode name = map.at("name");
    if (!names.insert(name.text()).second)
      name.fail("a second thread of the application is named '" + name.text() + "', but names must differ");
    Feed feed;
    feed.thread = add_thread(name.text(), node);
    for (const YamlNode& item : map.at("calls").items()) call(item, std::nullopt, feed);
  }

  /// `own`: the stream that all calls of the thread are for; none: each names its own.
  void call(const YamlNode& node, std::optional<StreamId> own, Feed& feed) {
    static const std::vector<std::string> kActions{"kernel", "record", "wait", "host_us", "synchronize",
                                                   "malloc", "free",   "copy", "memset",  "job"};
    std::string action = "kernel";
    if (!node.is_scalar()) {
      const auto entries = node.entries();
      const auto found = std::find_if(entries.begin(), entries.end(), [&](const auto& entry) {
        return std::find(kActions.begin(), kActions.end(), entry.first) != kActions.end();
      });
      if (found == entries.end())
        node.fail(
            "found none of 'kernel', 'copy', 'memset', 'job', 'record', 'wait', 'host_us', 'synchronize', 'malloc', "
            "'free', but a call is one of them");
      action = found->first;
    }
    if (action == "kernel") {
      if (!own && node.is_scalar()) node.fail("a launch of a thread needs 'stream'");
      launch(node, own ? *own : named_stream(stream_of(node)), feed, !own);
      return;
    }
    if (action == "copy" || action == "memset") {
      copy(node, action == "memset", own, feed);
      return;
    }
    if (action == "job") {
      task(node, own, feed);
      return;
    }
    if (action == "malloc") {
      own_.allocations.allocate(node, addresses_);
      add_call(feed, HostCall::Kind::kSynchronizeDevice, 0, 0, node.line());
      return;
    }
    const YamlMap map(node, own ? std::vector<std::string>{action} : std::vector<std::string>{action, "stream"});
    const YamlNode value = map.at(action);
    HostCall call;
    call.line = node.line();
    bool needs_stream = true;
    if (action == "record" || action == "wait") {
      call.kind = action == "record" ? HostCall::Kind::kRecordEvent : HostCall::Kind::kWaitEvent;
      // Each job has events of its own.
      const std::string name = value.text() + (job_ ? " of job " + std::to_string(*job_ + 1) : "");
      call.what = event(name);
      if (action == "record" && !own_.recorded.insert(name).second)
        value.fail("event '" + value.text() + "' is recorded a second time, but names of events must differ");
    } else if (action == "host_us") {
      call.kind = HostCall::Kind::kHostFunction;
      call.time = femtoseconds(value.number(0, kMaxReleaseUs));
      needs_stream = false;
    } else if (action == "free") {
      needs_stream = false;
      call.kind = HostCall::Kind::kSynchronizeDevice;
      own_.allocations.free(value, addresses_);
    } else {
      needs_stream = value.one_of({"stream", "device"}) == 0;
      call.kind = needs_stream ? HostCall::Kind::kSynchronizeStream : HostCall::Kind::kSynchronizeDevice;
    }
    if (needs_stream) {
      call.stream = own ? *own : named_stream(map.at("stream"));
    } else if (const auto stream = map.find("stream")) {
      stream->fail("'" + action + "' takes no stream here");
    }
    workload_.threads[*feed.thread].calls.push_back(call);
    ++feed.position;
  }

  void add_call(Feed& feed, HostCall::Kind kind, StreamId stream, std::size_t what, std::size_t line) {
    workload_.threads[*feed.thread].calls.push_back({kind, stream, static_cast<std::uint32_t>(what), 0, line});
    ++feed.position;
  }

  /// Commands that are released together, again and again.
  void task(const YamlNode& node, std::optional<StreamId> own, Feed& feed) {
    if (job_) node.fail("a job is within a job, but its commands are no jobs");
    std::vector<std::string> keys{"job", "phase", "deadline_us", "commands"};
    keys.insert(keys.end(), arrival_keys().begin(), arrival_keys().end());
    const YamlMap map(node, keys);
    const YamlNode name = map.at("job");
    claim(name);
    std::optional<Femtoseconds> deadline;
    if (const auto time = map.find("deadline_us")) deadline = femtoseconds(time->number(0, kMaxReleaseUs));
    if (const auto which = map.find("phase"))
      feed.phase = static_cast<unsigned>(which->unsigned_number(feed.phase, kMaxPhases));
    const std::vector<YamlNode> commands = map.at("commands").items();
    const std::uint32_t task = add_task(name.text(), deadline, node.line());
    for (const Femtoseconds release : read_arrivals(map, derive(seed_, hash_name(name.text())))) {
      job_ = add_job(task, release, feed.phase);
      add_call(feed, HostCall::Kind::kReleaseJob, 0, *job_, node.line());
      const std::size_t before = launches_.size() + workload_.copies.size();
      for (const YamlNode& item : commands) call(item, own, feed);
      if (launches_.size() + workload_.copies.size() == before)
        map.at("commands").fail("there is neither a kernel nor a copy in the job");
    }
    job_.reset();
  }

  std::uint32_t add_task(const std::string& name, std::optional<Femtoseconds> deadline, std::size_t line) {
    const bool met = std::any_of(workload_.tasks.begin(), workload_.tasks.end(),
                                 [&](const TaskSpec& task) { return task.name == name; });
    workload_.tasks.push_back({met ? name + " (line " + std::to_string(line) + ")" : name,
                               static_cast<ApplicationId>(workload_.applications.size() - 1), deadline});
    return static_cast<std::uint32_t>(workload_.tasks.size() - 1);
  }

  std::uint32_t add_job(std::uint32_t task, Femtoseconds release, unsigned phase) {
    std::vector<JobSpec>& jobs = workload_.jobs;
    const std::uint32_t number = !jobs.empty() && jobs.back().task == task ? jobs.back().number + 1 : 0;
    jobs.push_back({task, number, release, phase});
    return static_cast<std::uint32_t>(jobs.size() - 1);
  }

  void copy(const YamlNode& node, bool memset, std::optional<StreamId> own, Feed& feed) {
    CopyCommand command = read_copy(node, memset, !own, own_.allocations);
    command.stream = own ? *own : named_stream(stream_of(node));
    command.job = job_;
    command.label = std::string(memset ? "memset" : "copy") + "#" + std::to_string(workload_.copies.size() + 1);
    for (const auto& [key, label] : node.entries()) {
      if (key != "label") continue;
      command.label = label.text();
      claim(label);
      if (job_) command.label += "#" + std::to_string(workload_.jobs[*job_].number + 1);
    }
    add_call(feed, HostCall::Kind::kCopy, command.stream, workload_.copies.size(), node.line());
    workload_.copies.push_back(std::move(command));
  }

  /// No other command may be labelled so; but the commands of a job are read for each job anew.
  void claim(const YamlNode& label) {
    if (job_ && workload_.jobs[*job_].number > 0) return;
    if (!labels_.insert(label.text()).second)
      label.fail("a second command is labelled '" + label.text() + "', but labels must differ");
  }

  /// The entry `stream` of a call, whatever else the call has.
  static YamlNode stream_of(const YamlNode& call) {
    for (auto& [key, value] : call.entries()) {
      if (key == "stream") return value;
    }
    call.fail("'stream' is missing");
  }

  StreamId named_stream(const YamlNode& node) const {
    const auto found = std::find(own_.streams.begin(), own_.streams.end(), node.text());
    if (found == own_.streams.end())
      node.fail("no stream of the application is named '" + node.text() + "'" + suggestion(node.text(), own_.streams));
    return own_.first_stream + static_cast<StreamId>(found - own_.streams.begin());
  }

  std::uint32_t event(const std::string& name) {
    const auto [found, inserted] = own_.events.emplace(name, static_cast<std::uint32_t>(workload_.events.size()));
    if (inserted) workload_.events.push_back({name, static_cast<ApplicationId>(workload_.applications.size() - 1)});
    return found->second;
  }

  void launch(const YamlNode& node, StreamId stream, Feed& feed, bool names_stream = false) {
    LaunchCommand command;
    command.stream = stream;
    command.file = node.file();
    command.line = node.line();
    std::vector<Femtoseconds> releases{0};
    bool is_task = false;
    if (node.is_scalar()) {
      command.kernel = kernels_.launch(node);
      command.label = node.text();
    } else {
      std::vector<std::string> keys{"kernel", "phase",       "grid",         "block",       "label",
                                    "budget", "deadline_us", "alone_cycles", "cache_config"};
      keys.insert(keys.end(), arrival_keys().begin(), arrival_keys().end());
      if (names_stream) keys.emplace_back("stream");
      const YamlMap map(node, keys);
      command.kernel = kernels_.launch(map.at("kernel"), &map);
      command.label = map.at("kernel").text();
      if (const auto label = map.find("label")) {
        command.label = label->text();
        claim(*label);
      }
      releases = read_arrivals(map, derive(seed_, hash_name(command.label)));
      if (const auto time = map.find("deadline_us")) command.deadline = femtoseconds(time->number(0, kMaxReleaseUs));
      if (job_ && command.deadline)
        map.at("deadline_us").fail("a command of a job has no deadline of its own; the job may have one");
      is_task = !job_ && (releases.size() > 1 || command.deadline || map.find("jitter_us"));
      if (const auto budget = map.find("budget"))
        command.budget = static_cast<std::uint8_t>(budget->unsigned_number(1, kMaxBudget));
      if (const auto config = map.find("cache_config"))
        command.cache_config = static_cast<CacheConfig>(config->one_of({"any", "shared", "l1", "equal"}));
      if (const auto cycles = map.find("alone_cycles"))
        command.alone_cycles = cycles->unsigned_number(1, kMaxAloneCycles);
      if (const auto which = map.find("phase"))
        feed.phase = static_cast<unsigned>(which->unsigned_number(feed.phase, kMaxPhases));
    }
    command.phase = feed.phase;
    std::optional<std::uint32_t> task;
    if (is_task) task = add_task(command.label, command.deadline, command.line);
    for (const Femtoseconds release : releases) {
      command.job = task ? add_job(*task, release, command.phase) : job_;
      command.release = release + (job_ ? workload_.jobs[*job_].release : 0);
      launches_.add(workload_, command, feed.position++, feed.thread);
    }
  }

  std::uint64_t seed_;
  FreshAddresses addresses_;
  std::set<std::string> application_names_;
  std::set<std::string> labels_;
  LaunchList launches_;
  Names own_;
  bool alone_ = false;                // there is one application only
  std::size_t traces_ = 0;            // that have been read
  std::optional<std::uint32_t> job_;  // whose commands are being read
  Workload workload_;
  DefinedKernels kernels_{seed_, workload_.warnings};
};

}  // namespace

Workload load_workload(const std::string& path, std::uint64_t seed) {
  return Reader(seed).read(YamlNode::load_file(path));
}

Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed) {
  return Reader(seed).read(YamlNode::load_text(text, name));
}

GPUTLM_REGISTER {
  InputFormat format;  // what no other format takes is this one, so it is the last
  format.name = "workload file";
  format.description = "YAML: kernels as programs, and who launches them (docs/workload.md)";
  format.takes = [](const std::string&) { return true; };
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(paths[1], 0, "is a second workload file; allowed is one");
    RunInput input;
    input.workload = load_workload(paths[0], options.seed);
    input.warnings = late_warnings(input.workload);
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace gputlm
