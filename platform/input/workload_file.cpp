#include "platform/input/workload_file.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "models/host/arrivals.h"
#include "models/kernel/random.h"
#include "platform/files/numbers.h"
#include "platform/input/application_source.h"
#include "platform/input/arrivals_form.h"
#include "platform/input/call_forms.h"
#include "platform/input/criticality_form.h"
#include "platform/input/instances_form.h"
#include "platform/input/launch_list.h"
#include "platform/input/nearest.h"
#include "platform/input/preset.h"
#include "platform/input/run_input.h"
#include "platform/input/task_set.h"
#include "platform/input/trace_application.h"
#include "platform/input/variants.h"
#include "platform/input/workload_file_forms.h"
#include "platform/input/workload_file_kernel.h"
#include "platform/input/workload_file_memory.h"
#include "platform/input/workload_file_parts.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using Within = CallPlace::Within;

constexpr std::size_t kMaxApplications = 65536;  // ApplicationId has 16 bits
constexpr std::uint64_t kMaxValues = 10000000;   // maximum of values in `applications`; repetitions count each time

/// Number of values in the file at and below `node`, with repetitions counted each time. Repetitions are stored individually,
/// so a short file could exhaust the memory. An invalid number of repetitions is reported where it is read.
std::uint64_t values_with_repetitions(const Document::Node& node, const YamlNode& all) {
  std::uint64_t values = 1, times = 1;
  const bool is_map = node.kind == Document::Node::Kind::kMap;
  for (std::size_t i = is_map ? 1 : 0; i < node.children.size(); i += is_map ? 2 : 1) {
    const Document::Node& value = *node.children[i];
    values += values_with_repetitions(value, all);
    if (is_map && node.children[i - 1]->text == "repeat")
      times = std::clamp<std::uint64_t>(parse_whole(value.text).value_or(1), 1, kMaxRepeats);
  }
  if (values > kMaxValues / times)
    all.fail_at(node, "found more than " + std::to_string(kMaxValues) + " values, counting each repetition");
  return values * times;
}

class Reader {
 public:
  Reader(std::uint64_t seed, const GpuConfig* gpu, FreshAddresses& addresses, bool nested)
      : seed_(seed), gpu_(gpu), addresses_(addresses), nested_(nested) {}

  Workload read(const YamlNode& root) {
    const YamlMap map = file_form().read(root);
    if (const auto settings = map.find("settings")) {
      for (const auto& [key, value] : settings->entries()) workload_.settings.push_back(key + "=" + value.text());
    }
    if (const auto variants = map.find("variants")) {
      for (const auto& [name, variant] : variants->entries()) {
        if (!variant.is_map()) variant.refuse("a mapping of what the variant changes");
      }
    }
    if (const auto instances = map.find("instances")) workload_.instances = read_instances(*instances);
    if (const auto managed = map.find("managed")) {
      for (const auto& [name, node] : managed->entries())
        workload_.managed.push_back(read_managed(name, node, addresses_));
    }
    const auto applications = map.find("applications");
    const std::vector<YamlNode> items = applications ? applications->items() : std::vector<YamlNode>();
    if (const auto kernels = map.find("kernels")) {
      for (const auto& [name, node] : kernels->entries())
        kernels_.define(name, read_kernel(name, node, addresses_, workload_.managed), read_kernel_seed(node));
    }
    if (applications) values_with_repetitions(applications->node(), *applications);
    const auto tasks = map.find("tasks");
    alone_ = items.size() == 1 && !tasks;
    for (const YamlNode& node : items) application(node);
    if (tasks) task_set(*tasks);
    if (launches_.size() == 0 && workload_.copies.empty()) applications->fail("nothing is launched");
    kernels_.warn_of_the_others();
    launches_.move_to(workload_);
    check_waits(workload_);
    return std::move(workload_);
  }

 private:
  /// Streams, events and allocations of the current application, by name.
  struct Names {
    std::vector<std::string> streams;  // names of the streams, in order
    std::vector<bool> has_list;        // whether each stream has a list of launches or commands
    StreamId first_stream = 0;
    std::map<std::string, std::uint32_t> events;
    std::set<std::string> recorded;
    bool has_default_stream = false;
    Allocations allocations;
  };

  /// The source of the current calls: a thread of its own, if any, and its progress.
  struct Feed {
    std::optional<StreamId> stream = std::nullopt;  // the stream of all calls; none: each call names its own
    std::optional<std::size_t> thread = std::nullopt;
    Within within = Within::kNothing;
    unsigned phase = 0;
    std::size_t position = 0;
    Bytes held = 0;  // device memory that the thread holds
  };

  ApplicationId current() const { return static_cast<ApplicationId>(workload_.applications.size() - 1); }

  void application(const YamlNode& node) {
    const ApplicationSource* const source = application_source(node);
    const YamlMap map = (source ? source->form() : program_application_form()).read(node);
    const auto given = map.find("name");
    const std::string name = given ? given->text() : source->default_name(map);
    if (!application_names_.insert(name).second)
      (given ? *given : node).fail("a second application is named '" + name + "', but names must differ");
    if (workload_.applications.size() == kMaxApplications)
      node.fail("there are more than " + std::to_string(kMaxApplications) + " applications");
    ApplicationSpec& spec = workload_.applications.emplace_back();
    spec.name = name;
    spec.file = node.file();
    spec.line = map.find("sms").value_or(node).line();
    read_fields(map, spec);
    if (const auto budget = map.find("memory_budget"))
      read_fields(memory_budget_form().read(*budget), spec.memory_budget.emplace());
    if (const auto allocations = map.find("allocations")) {
      const Address offset = source ? source->first_address(sourced_[source]) : 0;
      for (const YamlNode& item : allocations->items())
        spec.allocations.push_back(read_coloured_allocation(item, workload_.managed, offset));
    }
    if (source) {
      source->read(map, {current(), alone_ ? "" : name + "/", sourced_[source]++, seed_, gpu_, workload_, launches_,
                         addresses_, nested_});
    } else {
      program(map);
    }
  }

  /// A set of tasks, one application per task.
  void task_set(const YamlNode& node) {
    const YamlMap map = tasks_form().read(node);
    TaskSetSpec spec;
    read_fields(task_set_form().read(map.at("uunifast")), spec);
    ApplicationSpec like;
    if (const auto application = map.find("application"))
      read_fields(application_of_a_task_form().read(*application), like);
    like.file = node.file();
    like.line = node.line();
    const GpuConfig gpu = gpu_ ? *gpu_ : load_gpu(kDefaultGpu);
    const std::uint64_t key = task_set_key(spec, seed_);
    const std::vector<DrawnTask> set = node.naming([&] { return draw_task_set(spec, gpu, key); });
    const std::size_t before = workload_.applications.size();
    add_task_set(spec, set, first_releases(spec, set, key), like, key, workload_, launches_);
    for (std::size_t a = before; a < workload_.applications.size(); ++a) {
      if (!application_names_.insert(workload_.applications[a].name).second)
        node.fail("a second application is named '" + workload_.applications[a].name + "', but names must differ");
    }
    const std::string levels = "work_distributor.priorities";
    const auto sets_levels = [&](const std::string& setting) { return setting.compare(0, levels.size(), levels) == 0; };
    if (spec.priorities != TaskSetSpec::Priorities::kNone && gpu.work_distributor.priorities < spec.tasks &&
        std::none_of(workload_.settings.begin(), workload_.settings.end(), sets_levels))
      workload_.settings.push_back(levels + "=" + std::to_string(spec.tasks));  // one for each task
  }

  void program(const YamlMap& map) {
    own_ = Names{};
    tasks_.begin_application();
    own_.first_stream = static_cast<StreamId>(workload_.streams.size());
    const std::size_t launched_before = launches_.size(), copied_before = workload_.copies.size();
    const YamlNode list = map.at("streams");
    const auto threads = map.find("threads");
    for (const YamlNode& item : list.items()) stream(item, threads.has_value());
    if (own_.streams.empty()) list.fail("the list is empty, but an application needs a stream");
    const std::size_t first_thread = workload_.threads.size();
    if (threads) {
      std::set<std::string> names;
      for (const YamlNode& item : threads->items()) thread(item, names);
      check_streams_are_fed(*threads, first_thread);
    }
    if (workload_.applications.back().relaunch && launches_.size() == launched_before &&
        workload_.copies.size() == copied_before)
      map.at("relaunch").fail("the application launches nothing that could be repeated");
  }

  /// Checks that each stream of the application has a list of its own, or calls of the threads from `first` on.
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
    const YamlMap map = stream_form().read(node);
    const YamlNode name = map.at("name");
    if (std::find(own_.streams.begin(), own_.streams.end(), name.text()) != own_.streams.end())
      name.fail("a second stream of the application is named '" + name.text() + "', but names must differ");
    own_.streams.push_back(name.text());
    StreamSpec spec;
    spec.name = name.text();
    spec.application = current();
    spec.file = node.file();
    spec.line = map.find("priority").value_or(node).line();
    read_fields(map, spec);
    spec.access_policy_window = read_access_policy_window(map, workload_.managed);
    spec.kind = stream_kind(map);
    workload_.streams.push_back(spec);
    Feed feed;
    feed.stream = static_cast<StreamId>(workload_.streams.size() - 1);
    const auto commands = map.find("commands");
    own_.has_list.push_back(commands || map.find("launches") || !has_threads);
    if (commands) {
      feed.thread = add_thread(spec.name, node);
      for (const YamlNode& item : commands->items()) call(item, feed);
    } else if (own_.has_list.back()) {
      const std::vector<YamlNode> launches = map.at("launches").items();
      if (std::any_of(launches.begin(), launches.end(), may_overrun)) feed.thread = add_thread(spec.name, node);
      for (const YamlNode& item : launches) launch(item, feed);
    }
  }

  /// Whether jobs of the launch consist of two launches, the second beyond the budget.
  static bool may_overrun(const YamlNode& launch) {
    const auto wcet = launch.is_map() ? launch.find("wcet_us") : std::nullopt;
    return wcet && wcet->is_map() && wcet->find("hi");
  }

  StreamKind stream_kind(const YamlMap& map) {
    if (map.is_true("non_blocking")) return StreamKind::kNonBlocking;
    if (!map.is_true("default")) return StreamKind::kBlocking;
    if (own_.has_default_stream) map.at("default").fail("a second stream of the application is its default stream");
    own_.has_default_stream = true;
    return StreamKind::kDefault;
  }

  std::size_t add_thread(const std::string& name, const YamlNode& node) {
    workload_.threads.push_back({name, current(), {}, node.file()});
    return workload_.threads.size() - 1;
  }

  void thread(const YamlNode& node, std::set<std::string>& names) {
    const YamlMap map = thread_form().read(node);
    const YamlNode name = map.at("name");
    if (!names.insert(name.text()).second)
      name.fail("a second thread of the application is named '" + name.text() + "', but names must differ");
    Feed feed;
    feed.thread = add_thread(name.text(), node);
    for (const YamlNode& item : map.at("calls").items()) call(item, feed);
  }

  /// The form of a call at this place.
  const MapForm& form_of(CallKind kind, const Feed& feed) const { return call_form(kind, {!feed.stream, feed.within}); }

  void call(const YamlNode& node, Feed& feed) {
    using Kind = HostCall::Kind;
    const CallKind kind = call_kind(node);
    if (kind == CallKind::kKernel) return launch(node, feed);
    if (feed.within != Within::kNothing && (kind == CallKind::kJob || kind == CallKind::kLoop)) {
      const std::string outer = feed.within == Within::kJob ? "job" : "loop";
      node.fail("a " + std::string(kCallKeys[static_cast<std::size_t>(kind)]) + " is within a " + outer +
                ", but its commands are no jobs and no loops");
    }
    const YamlMap map = form_of(kind, feed).read(node);
    switch (kind) {
      case CallKind::kKernel: return;
      case CallKind::kCopy:
      case CallKind::kMemset: return copy(map, kind == CallKind::kMemset, feed);
      case CallKind::kJob: return job(map, feed);
      case CallKind::kLoop: return loop(map, feed);
      case CallKind::kRecord:
        add_call(feed, Kind::kRecordEvent, node.line(), stream_of(map, feed), recorded_event(map.at("record")));
        return;
      case CallKind::kWait:
        add_call(feed, Kind::kWaitEvent, node.line(), stream_of(map, feed), event(name_of_event(map.at("wait"))));
        return;
      case CallKind::kHost: add_call(feed, Kind::kHostFunction, node.line()).time = time(map.at("host_us")); return;
      case CallKind::kWaitUntil:
        add_call(feed, Kind::kWaitUntil, node.line()).time = time(map.at("wait_until_us"));
        return;
      case CallKind::kBarrier:
        add_call(feed, Kind::kBarrier, node.line(), 0, map.at("barrier").unsigned_number(0, kMaxBarrier));
        return;
      case CallKind::kSynchronize:
        switch (map.at("synchronize").one_of({"stream", "device", "event"})) {
          case 0: add_call(feed, Kind::kSynchronizeStream, node.line(), stream_of(map, feed)); return;
          case 1: add_call(feed, Kind::kSynchronizeDevice, node.line()); return;
          default:
            add_call(feed, Kind::kSynchronizeEvent, node.line(), 0, event(name_of_event(map.at("event"))));
            return;
        }
      case CallKind::kMalloc: hold(feed, own_.allocations.allocate(map, addresses_)); break;
      case CallKind::kFree: release(feed, own_.allocations.free(map.at("free"), addresses_)); break;
    }
    add_call(feed, Kind::kSynchronizeDevice, node.line());  // as allocating and freeing do
  }

  /// Device memory that the thread certainly holds; another thread may free it at any time.
  void hold(Feed& feed, Bytes bytes) {
    feed.held += bytes;
    Bytes& most = workload_.threads[*feed.thread].allocated;
    most = std::max(most, feed.held);
  }
  static void release(Feed& feed, Bytes bytes) { feed.held -= std::min(feed.held, bytes); }

  static Femtoseconds time(const YamlNode& node) { return forms::read(node, Microseconds{0, kMaxReleaseUs}); }

  HostCall& add_call(Feed& feed, HostCall::Kind kind, std::size_t line, StreamId stream = 0, std::uint64_t what = 0) {
    ++feed.position;
    std::vector<HostCall>& calls = workload_.threads[*feed.thread].calls;
    calls.push_back({kind, stream, static_cast<std::uint32_t>(what), 0, line});
    return calls.back();
  }

  void loop(const YamlMap& map, Feed& feed) {
    if (workload_.applications.back().relaunch)
      map.node().fail("an application with 'relaunch', which repeats all of it, has a loop");
    const std::size_t begin = workload_.threads[*feed.thread].calls.size();
    add_call(feed, HostCall::Kind::kLoop, map.node().line());
    feed.within = Within::kLoop;
    for (const YamlNode& item : map.at("loop").items()) call(item, feed);
    feed.within = Within::kNothing;
    HostCall& repeat = add_call(feed, HostCall::Kind::kRepeat, map.node().line(), 0, begin);
    if (const auto most = map.find("time_us")) repeat.time = time(*most);
    if (const auto count = map.find("count"))
      repeat.count = static_cast<std::uint32_t>(count->unsigned_number(1, kMaxIterations));
  }

  /// Commands that are released together, repeatedly.
  void job(const YamlMap& map, Feed& feed) {
    const YamlNode name = map.at("job");
    TaskSpec spec = FileTasks::read(map, name.text());
    set_phase(map, feed);
    const auto given = map.find("task");
    if (!given) claim(name);
    const std::vector<YamlNode> commands = map.at("commands").items();
    const std::uint32_t task = given ? tasks_.named(*given, std::move(spec)) : tasks_.add(std::move(spec));
    feed.within = Within::kJob;
    repeats_ = !given;
    const Overruns overruns(map, derive(seed_, hash_name(name.text())));
    beyond_ = 0;
    std::uint64_t number = 0;
    for (const Femtoseconds release : read_arrivals(map, derive(seed_, hash_name(name.text())))) {
      job_ = tasks_.add_job(task, release, feed.phase);
      workload_.jobs[*job_].when_reached = map.is_true("when_reached");
      workload_.jobs[*job_].overruns = overruns.of(++number);
      add_call(feed, HostCall::Kind::kReleaseJob, map.node().line(), 0, *job_);
      const std::size_t before = launches_.size() + workload_.copies.size();
      for (const YamlNode& item : commands) call(item, feed);
      if (launches_.size() + workload_.copies.size() == before)
        map.at("commands").fail("there is neither a kernel nor a copy in the job");
    }
    if (overruns.given() && beyond_ == 0)
      map.at("overruns").fail("none of the job's commands is 'beyond_budget', so it cannot overrun");
    feed.within = Within::kNothing;
    job_.reset();
  }

  /// Number of the current job, as a suffix of names that are repeated with it; 0: none.
  std::uint32_t repetition() const { return job_ && repeats_ ? workload_.jobs[*job_].number + 1 : 0; }

  void copy(const YamlMap& map, bool memset, Feed& feed) {
    CopyCommand command = read_copy(map, memset, own_.allocations);
    command.stream = stream_of(map, feed);
    command.job = job_;
    command.label = std::string(memset ? "memset" : "copy") + "#" + std::to_string(workload_.copies.size() + 1);
    if (const auto label = map.find("label")) {
      command.label = label->text();
      claim(*label);
      if (repetition() > 0) command.label += "#" + std::to_string(repetition());
    }
    add_call(feed, HostCall::Kind::kCopy, command.line, command.stream, workload_.copies.size());
    workload_.copies.push_back(std::move(command));
  }

  /// Reserves a label for one command; the commands of a job are read again for each repetition.
  void claim(const YamlNode& label) {
    if (repetition() > 1) return;
    if (!labels_.insert(label.text()).second)
      label.fail("a second command is labelled '" + label.text() + "', but labels must differ");
  }

  /// The stream of all calls, or the one that the call names.
  StreamId stream_of(const YamlMap& call, const Feed& feed) const {
    if (feed.stream) return *feed.stream;
    const auto node = call.find("stream");
    if (!node) call.node().fail("'stream' is missing");
    const auto found = std::find(own_.streams.begin(), own_.streams.end(), node->text());
    if (found == own_.streams.end())
      node->fail("no stream of the application is named '" + node->text() + "'" +
                 suggestion(node->text(), own_.streams));
    return own_.first_stream + static_cast<StreamId>(found - own_.streams.begin());
  }

  /// Each repetition of a job has its own events.
  std::string name_of_event(const YamlNode& name) const {
    return name.text() + (repetition() > 0 ? " of job " + std::to_string(*job_ + 1) : "");
  }

  std::uint32_t event(const std::string& name) {
    const auto [found, inserted] = own_.events.emplace(name, static_cast<std::uint32_t>(workload_.events.size()));
    if (inserted) workload_.events.push_back({name, current()});
    return found->second;
  }

  std::uint32_t recorded_event(const YamlNode& node) {
    const std::string name = name_of_event(node);
    if (!own_.recorded.insert(name).second)
      node.fail("event '" + node.text() + "' is recorded a second time, but names of events must differ");
    return event(name);
  }

  void set_phase(const YamlMap& map, Feed& feed) {
    if (const auto which = map.find("phase"))
      feed.phase = static_cast<unsigned>(which->unsigned_number(feed.phase, kMaxPhases));
  }

  void launch(const YamlNode& node, Feed& feed) {
    LaunchCommand command;
    command.file = node.file();
    command.line = node.line();
    std::vector<Femtoseconds> releases{0};
    std::optional<std::uint32_t> task;
    std::optional<std::size_t> position;
    std::optional<LaunchCommand> beyond;  // second launch of each job
    std::optional<Overruns> overruns;
    if (node.is_scalar()) {
      if (!feed.stream) node.fail("a launch of a thread needs 'stream'");
      command.stream = *feed.stream;
      command.kernel = kernels_.launch(node);
      command.label = node.text();
      command.phase = feed.phase;
    } else {
      const YamlMap map = form_of(CallKind::kKernel, feed).read(node);
      command.stream = stream_of(map, feed);
      command.kernel = kernels_.launch(map.at("kernel"), &map);
      const auto label = map.find("label");
      command.label = (label ? *label : map.at("kernel")).text();
      if (label) claim(*label);
      read_fields(map, command);
      command.access_policy_window = read_access_policy_window(map, workload_.managed);
      releases = feed.within == Within::kLoop ? std::vector{release_of(map)}
                                              : read_arrivals(map, derive(seed_, hash_name(command.label)));
      set_phase(map, feed);
      command.phase = feed.phase;
      if (const auto place = map.find("position")) position = place->unsigned_number(0, kMaxPosition);
      if (command.beyond_budget) check_beyond(map, command);
      if (feed.within == Within::kNothing) {
        overruns.emplace(map, derive(seed_, hash_name(command.label)));
        beyond = launch_beyond(map, command);
        if (overruns->given() && !beyond)
          map.at("overruns").fail("the launch has no 'wcet_us' with 'hi', so it cannot overrun");
      }
      const auto given = map.find("task");
      TaskSpec spec = FileTasks::read(map, command.label);
      if (given) {
        task = tasks_.named(*given, std::move(spec));
      } else if (!job_ && (releases.size() > 1 || command.deadline || spec.min_interarrival || map.find("jitter_us") ||
                           map.find("criticality") || map.find("in_hi_mode") || spec.wcet)) {
        task = tasks_.add(std::move(spec));
      }
    }
    if (beyond) command.deadline.reset();  // the deadline belongs to the job
    std::uint64_t number = 0;
    for (const Femtoseconds release : releases) {
      command.job = task ? tasks_.add_job(*task, release, command.phase) : job_;
      command.release = release + (job_ ? workload_.jobs[*job_].release : 0);
      if (beyond) {
        workload_.jobs[*command.job].overruns = overruns->of(++number);
        add_call(feed, HostCall::Kind::kReleaseJob, command.line, 0, *command.job);
      }
      launches_.add(workload_, command, position.value_or(feed.position), feed.thread);
      ++feed.position;
      if (!beyond) continue;
      beyond->job = command.job;
      beyond->release = command.release;
      launches_.add(workload_, *beyond, feed.position, feed.thread);
      ++feed.position;
    }
  }

  void check_beyond(const YamlMap& map, const LaunchCommand& command) {
    ++beyond_;
    const YamlNode node = map.at("beyond_budget");
    if (workload_.tasks[workload_.jobs[*job_].task].criticality != Criticality::kHi)
      node.fail("only jobs of criticality hi may go beyond their budget");
    if (command.overlaps || command.programmatic)
      node.fail("a launch beyond the budget begins when all before it has ended, so it cannot overlap");
  }

  /// The part of the launch's job beyond its budget; none: it has a single budget.
  static std::optional<LaunchCommand> launch_beyond(const YamlMap& map, const LaunchCommand& command) {
    const std::optional<Wcet> wcet = read_wcet(map);
    if (!wcet || !wcet->hi) return std::nullopt;
    LaunchCommand beyond = command;
    beyond.kernel = beyond_budget(*command.kernel, *wcet, map.at("wcet_us"));
    beyond.label += ".beyond";
    beyond.beyond_budget = true;
    beyond.overlaps = beyond.programmatic = false;
    beyond.deadline.reset();
    return beyond;
  }

  static Femtoseconds release_of(const YamlMap& map) {
    const auto node = map.find("release_us");
    return node ? time(*node) : 0;
  }

  std::uint64_t seed_;
  const GpuConfig* gpu_;  // null: the GPU is not known yet
  FreshAddresses& addresses_;
  bool nested_;  // the file describes one application of another workload
  std::set<std::string> application_names_;
  std::set<std::string> labels_;
  LaunchList launches_;
  Names own_;
  bool alone_ = false;                                       // there is only one application
  std::map<const ApplicationSource*, std::size_t> sourced_;  // number of applications read from each source
  std::optional<std::uint32_t> job_;                         // the job that the current commands belong to
  bool repeats_ = false;                                     // its commands are read again for the next job
  std::size_t beyond_ = 0;                                   // number of the job's launches beyond its budget
  Workload workload_;
  FileTasks tasks_{workload_};
  DefinedKernels kernels_{seed_, workload_.warnings};
};

}  // namespace

Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu) {
  FreshAddresses addresses;
  return Reader(seed, gpu, addresses, false).read(load_variant(path));
}

Workload load_workload(const std::string& path, std::uint64_t seed, const GpuConfig* gpu, FreshAddresses& addresses) {
  return Reader(seed, gpu, addresses, true).read(load_variant(path));
}

Workload load_workload_text(const std::string& text, const std::string& name, std::uint64_t seed,
                            const GpuConfig* gpu) {
  FreshAddresses addresses;
  return Reader(seed, gpu, addresses, false).read(variant_of_text(text, name));
}

GPUTLM_REGISTER {
  InputFormat format;  // it accepts every file that no other format accepts, so it comes last
  format.name = "workload file";
  format.description = "YAML: kernels as programs, and the streams that launch them (docs/workload.md)";
  format.takes = [](const std::string&) { return true; };
  format.source = "workload";
  format.load = [](const std::vector<std::string>& paths, const RunInputOptions& options) {
    if (paths.size() > 1) throw InputError(paths[1], 0, "is a second workload file; allowed: one");
    RunInput input;
    input.workload = load_workload(paths[0], options.seed, options.gpu);
    input.warnings = late_warnings(input.workload);
    input.files.push_back(input_file(variant_path(paths[0]).file));
    input.files.back().name = std::filesystem::path(paths[0]).filename().string();
    return input;
  };
  input_formats().add(std::move(format));
}

}  // namespace gputlm
