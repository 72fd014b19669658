#include "platform/programs/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "models/work_distributor/links.h"
#include "platform/programs/measured_kernels.h"
#include "platform/programs/program_selection.h"
#include "platform/programs/replay_lanes.h"
#include "tlm/base/error.h"

namespace gputlm {
namespace {

using CallKind = MeasuredCall::Kind;
using Step = ReplayStep;
using Lane = ReplayLane;
using Call = HostCall::Kind;

constexpr Address kCopied = 0x600000000000;  // captures have no addresses of copies; these are away from those in use
constexpr Bytes kCopiedEach = Bytes{1} << 40, kAlignment = 4096;
constexpr std::size_t kPrograms = 16;             // programs with such addresses of their own
constexpr std::size_t kMaxReplayed = 10'000'000;  // including repetitions: a short file must not exhaust the memory

class Replay {
 public:
  Replay(const Program& program, const std::vector<ApplicationId>& applications, const ProgramRun& run,
         const GpuConfig& gpu, Workload& workload, LaunchList& launches)
      : program_(program), applications_(applications), run_(run), gpu_(gpu), workload_(workload), launches_(launches),
        kernels_(program, gpu, run.measured_sms), clock_(Clock::from_mhz(gpu.core_mhz)),
        first_stream_(static_cast<StreamId>(workload.streams.size())),
        copied_from_(kCopied + workload.copies.size() % kPrograms * kCopiedEach) {
    out_.path = program.path;
    out_.gpu = program.gpu;
    out_.release = run.release.value_or(program.threads.empty() ? Release::kLaunch : Release::kProgram);
    if (out_.release == Release::kProgram && program.threads.empty())
      refuse(program.path + ": has no calls of the host, which release 'program' needs; allowed: launch, start, none");
  }

  ReplayedProgram add() {
    if (run_.releases.size() > kMaxReplayed / std::max<std::size_t>(program_.commands.size(), 1))
      refuse(fmt::format("{}: found more than {} kernels and copies, counting each repetition", program_.path,
                         kMaxReplayed));
    find_jobs();
    origin_ = origin();
    for (Job& job : jobs_) job.start = (job.range->start - origin_) * kFemtosecondsOfNs;
    timing_ = dependences(program_, setup());
    add_streams();
    for (const MeasuredCommand& command : program_.commands)
      kernels_made_.push_back(command.kernel() ? kernels_.make(command) : nullptr);
    add_lanes(out_.release == Release::kProgram ? lanes_of_threads(program_, timing_)
                                                : lanes_of_streams(program_, timing_, out_.release, origin_));
    say();
    return std::move(out_);
  }

  std::size_t launch_queue() const { return timing_.launch_queue; }

 private:
  DependenceSetup setup() const {
    DependenceSetup setup;
    const auto cycles = [&](Cycle count) { return static_cast<Time>(clock_.edge(count)); };
    const WorkDistributorConfig& distributor = gpu_.work_distributor;
    const Cycle host = host_hop(clock_, distributor);
    // A kernel crosses the link from the host, and its first block the link to an SM, each taking one cycle; its end comes
    // back the same way.
    setup.copies.begin = setup.copies.end = cycles(host + 1);
    setup.kernels.begin = setup.kernels.end = cycles(host + 1 + distributor.launch_latency + 1);
    setup.kernel_launch = cycles(distributor.kernel_launch_latency);
    setup.origin = origin_;
    setup.share_of_gpu = [this](const MeasuredKernel& kernel) { return kernels_.share_of_gpu(kernel); };
    setup.least_share_of_gpu = [this](const MeasuredKernel& kernel) { return kernels_.least_share_of_gpu(kernel); };
    return setup;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    if (run_.file.empty()) throw InputError(what);
    throw InputError(run_.file, run_.line, what);
  }

  /// The earliest release of a command or a job.
  Nanoseconds origin() const {
    Nanoseconds first = INT64_MAX;
    for (const Job& job : jobs_) {
      if (!job.commands.empty()) first = std::min(first, job.range->start);
    }
    for (const MeasuredCommand& command : program_.commands)
      first = std::min(first, out_.release == Release::kStart ? command.start : command.called.value_or(command.start));
    if (out_.release != Release::kProgram) return first;
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) first = std::min(first, call.start);
    }
    return first;
  }

  void add_streams() {
    for (std::size_t s = 0; s < program_.streams.size(); ++s) {
      const MeasuredStream& stream = program_.streams[s];
      StreamSpec& spec = workload_.streams.emplace_back();
      spec.name = fmt::format("stream {}", stream.id);
      spec.application = applications_[s];
      spec.priority = run_.priority.value_or(stream.priority);
      spec.kind = timing_.blocking[s] ? stream.kind : StreamKind::kNonBlocking;
      spec.file = program_.path;
    }
    // Streams of several contexts in one application may have the same number, or all be default streams.
    std::map<ApplicationId, std::set<std::string>> names;
    std::map<ApplicationId, bool> has_default;
    for (std::size_t s = first_stream_; s < workload_.streams.size(); ++s) {
      StreamSpec& spec = workload_.streams[s];
      const MeasuredStream& stream = program_.streams[s - first_stream_];
      if (!names[spec.application].insert(spec.name).second) spec.name += fmt::format(" of context {}", stream.context);
      bool& has = has_default[spec.application];
      if (spec.kind == StreamKind::kDefault && has) spec.kind = StreamKind::kBlocking;
      has = has || spec.kind == StreamKind::kDefault;
    }
  }

  // --- Jobs: ranges of one name, and the commands called for in each ---

  struct Job {
    const MeasuredRange* range;
    Nanoseconds latest_end;  ///< latest end of its range and the earlier ranges
    Time start = 0;
    std::vector<std::size_t> commands = {};
  };

  void find_jobs() {
    if (run_.jobs.empty()) return;
    for (const MeasuredRange& range : program_.ranges) {
      if (range.name == run_.jobs)
        jobs_.push_back({&range, jobs_.empty() ? range.end : std::max(range.end, jobs_.back().latest_end)});
    }
    if (jobs_.empty()) refuse(unknown_range(program_, run_.jobs));
    job_of_.resize(program_.commands.size());
    for (const MeasuredThread& thread : program_.threads) {
      for (const MeasuredCall& call : thread.calls) {
        if (call.kind != CallKind::kCommands) continue;
        // The last range of this thread, or of its process, that has begun.
        const auto behind = std::upper_bound(jobs_.begin(), jobs_.end(), call.start,
                                             [](Nanoseconds at, const Job& job) { return at < job.range->start; });
        for (auto job = std::make_reverse_iterator(behind); job != jobs_.rend() && call.start <= job->latest_end;
             ++job) {
          if (!is_in(*job->range, thread, call)) continue;
          for (std::optional<std::size_t> c = call.what; c; c = program_.commands[*c].next) {
            job_of_[*c] = static_cast<std::size_t>(&*job - jobs_.data());
            job->commands.push_back(*c);
          }
          break;
        }
      }
    }
  }

  // --- Adding it to the workload ---

  void add_lanes(std::vector<Lane> lanes) {
    for (std::size_t j = 0; j < jobs_.size(); ++j) release_in(lanes, j);
    const std::size_t first = workload_.threads.size();
    std::set<std::string> names;
    for (const Lane& lane : lanes) {
      std::string name = run_.label_prefix.empty() ? lane.name : run_.label_prefix + lane.name;
      while (!names.insert(name).second) name += "'";
      workload_.threads.push_back({name, applications_[lane.stream], {}, program_.path});
    }
    if (is_a_task()) add_task(run_.task, run_.task.name);
    if (!jobs_.empty()) add_task({}, run_.jobs);
    for (std::size_t time = 0; time < run_.releases.size(); ++time) {
      event_of_.assign(program_.events, std::nullopt);
      begin(lanes, first, time);
      for (std::size_t l = 0; l < lanes.size(); ++l) add_steps(lanes[l], first + l, time);
      if (time + 1 < run_.releases.size()) end(lanes, first);
    }
  }

  bool is_a_task() const { return !run_.task.name.empty() && jobs_.empty(); }

  void add_task(TaskSpec task, std::string name) {
    while (
        std::any_of(workload_.tasks.begin(), workload_.tasks.end(), [&](const TaskSpec& t) { return t.name == name; }))
      name += run_.line ? fmt::format(" (line {})", run_.line) : "'";
    task.name = std::move(name);
    if (!jobs_.empty()) task.deadline = run_.task.deadline;
    task.application = applications_.front();
    task.file = run_.file;
    task.line = run_.line;
    task_ = static_cast<std::uint32_t>(workload_.tasks.size());
    workload_.tasks.push_back(std::move(task));
  }

  /// The lane that calls for the first command of the job releases it.
  void release_in(std::vector<Lane>& lanes, std::size_t job) {
    if (jobs_[job].commands.empty()) return;
    const std::size_t first = *std::min_element(jobs_[job].commands.begin(), jobs_[job].commands.end());
    for (Lane& lane : lanes) {
      const auto at = std::find_if(lane.steps.begin(), lane.steps.end(), [&](const Step& step) {
        return step.kind == Step::Kind::kCommand && step.what == first;
      });
      if (at == lane.steps.end()) continue;
      const auto place = std::upper_bound(lane.steps.begin(), at, jobs_[job].start,
                                          [](Time start, const Step& step) { return start <= step.at; });
      const Time when =
          place == lane.steps.begin() ? jobs_[job].start : std::max(jobs_[job].start, std::prev(place)->resumed);
      lane.steps.insert(place, {Step::Kind::kJob, job, at->stream, when, when});
      return;
    }
  }

  HostCall& call(std::size_t thread, Call kind, std::size_t stream = 0, std::size_t what = 0, Time time = 0) {
    HostCall made;
    made.kind = kind;
    made.stream = first_stream_ + static_cast<StreamId>(stream);
    if (!made.has_stream() && kind != Call::kSynchronizeStream) made.stream = 0;
    made.what = static_cast<std::uint32_t>(what);
    made.time = static_cast<Femtoseconds>(time);
    return workload_.threads[thread].calls.emplace_back(made);
  }

  /// All threads begin a repetition together, when it is due.
  void begin(const std::vector<Lane>& lanes, std::size_t first, std::size_t time) {
    const Femtoseconds release = run_.releases[time];
    if (is_a_task()) {
      const auto number = static_cast<std::uint32_t>(time);
      job_ = add_job(number, release);
      call(first, Call::kReleaseJob, 0, *job_);
    } else if (release > 0) {
      call(first, Call::kWaitUntil, 0, 0, static_cast<Time>(release));
    }
    if (lanes.size() > 1 && (is_a_task() || release > 0)) meet(lanes, first);
  }
  void end(const std::vector<Lane>& lanes, std::size_t first) {
    for (std::size_t l = 0; l < lanes.size(); ++l) call(first + l, Call::kSynchronizeDevice);
    if (lanes.size() > 1) meet(lanes, first);
  }
  void meet(const std::vector<Lane>& lanes, std::size_t first) {
    if (!barrier_) {  // the first unused number
      barrier_ = 0;
      for (const ThreadSpec& thread : workload_.threads) {
        for (const HostCall& made : thread.calls) {
          if (made.kind == Call::kBarrier) barrier_ = std::max(*barrier_, made.what + 1);
        }
      }
    }
    for (std::size_t l = 0; l < lanes.size(); ++l) call(first + l, Call::kBarrier, 0, *barrier_);
    ++*barrier_;
  }

  std::uint32_t add_job(std::uint32_t number, Femtoseconds release) {
    workload_.jobs.push_back({task_, number, release});
    return static_cast<std::uint32_t>(workload_.jobs.size() - 1);
  }

  void add_steps(const Lane& lane, std::size_t thread, std::size_t time) {
    const bool answers = out_.release == Release::kProgram;
    Time at = 0;
    for (const Step& step : lane.steps) {
      if (answers) {
        if (step.at > at) call(thread, Call::kHostFunction, 0, 0, step.at - at);
        at = std::max(at, step.resumed);
      } else if (step.at > at) {
        call(thread, Call::kWaitUntil, 0, 0, step.at + static_cast<Time>(run_.releases[time]));
        at = step.at;
      }
      add_step(step, thread, time);
    }
  }

  void add_step(const Step& step, std::size_t thread, std::size_t time) {
    switch (step.kind) {
      case Step::Kind::kCommand: return add_command(step, thread, time);
      case Step::Kind::kRecord: call(thread, Call::kRecordEvent, step.stream, event(step.what, time)); return;
      case Step::Kind::kWait: call(thread, Call::kWaitEvent, step.stream, event(step.what, time)); return;
      case Step::Kind::kSynchronizeStream: call(thread, Call::kSynchronizeStream, step.stream); return;
      case Step::Kind::kSynchronizeDevice: call(thread, Call::kSynchronizeDevice); return;
      case Step::Kind::kSynchronizeEvent: call(thread, Call::kSynchronizeEvent, 0, event(step.what, time)); return;
      case Step::Kind::kJob: {
        const auto number = static_cast<std::uint32_t>(time * jobs_.size() + step.what);
        const bool answers = out_.release == Release::kProgram;
        const std::uint32_t job =
            add_job(number, answers ? 0 : run_.releases[time] + static_cast<Femtoseconds>(step.at));
        workload_.jobs[job].when_reached = answers;
        job_number_[step.what] = job;
        call(thread, Call::kReleaseJob, 0, job);
        return;
      }
    }
  }

  std::uint32_t event(std::size_t number, std::size_t time) {
    std::optional<std::uint32_t>& event = event_of_[number];
    if (!event) {
      event = static_cast<std::uint32_t>(workload_.events.size());
      std::string name = fmt::format("{}event {}", run_.label_prefix, number + 1);
      if (time > 0) name += fmt::format(".{}", time + 1);
      workload_.events.push_back({std::move(name), applications_.front()});
    }
    return *event;
  }

  std::optional<std::uint32_t> job_of(std::size_t command) const {
    if (jobs_.empty()) return job_;
    if (!job_of_[command]) return std::nullopt;
    const auto job = job_number_.find(*job_of_[command]);
    return job == job_number_.end() ? std::nullopt : std::optional(job->second);
  }

  std::string label(std::size_t command, std::size_t time) const {
    const std::string text = run_.label_prefix + program_.commands[command].label;
    return time == 0 ? text : fmt::format("{}.{}", text, time + 1);
  }

  void add_command(const Step& step, std::size_t thread, std::size_t time) {
    const MeasuredCommand& measured = program_.commands[step.what];
    const CommandTiming& timing = timing_.commands[step.what];
    const bool answers = out_.release == Release::kProgram;
    const Time delay = answers || (timing.overlaps && out_.release != Release::kStart) ? timing.delay : 0;
    if (time == 0) out_.commands.push_back({label(step.what, 0), !measured.kernel(), measured.start, measured.end});
    if (const MeasuredCopy* const copy = measured.copy()) {
      CopyCommand command;
      command.label = label(step.what, time);
      command.stream = first_stream_ + static_cast<StreamId>(step.stream);
      command.kind = copy->kind;
      command.bytes = copy->bytes;
      command.pageable = copy->pageable;
      command.blocking = answers && step.blocking;
      command.staged = copy->staged;
      command.delay = static_cast<Femtoseconds>(delay);
      command.overlaps = timing.overlaps;
      command.job = job_of(step.what);
      command.file = program_.path;
      if (copy->kind != CopyKind::kHostToDevice && copy->kind != CopyKind::kMemset) command.from = place(*copy);
      if (copy->kind != CopyKind::kDeviceToHost) command.to = place(*copy);
      call(thread, Call::kCopy, step.stream, workload_.copies.size());
      workload_.copies.push_back(std::move(command));
      return;
    }
    LaunchCommand command = run_.launch;
    command.deadline = std::nullopt;  // the job has the deadline
    command.label = label(step.what, time);
    command.stream = first_stream_ + static_cast<StreamId>(step.stream);
    command.kernel = kernels_made_[step.what];
    command.sms = kernels_.sms(*measured.kernel());
    command.release = answers ? 0 : run_.releases[time] + static_cast<Femtoseconds>(step.at);
    command.delay = static_cast<Femtoseconds>(delay);
    command.overlaps = timing.overlaps;
    command.job = job_of(step.what);
    command.file = program_.path;
    launches_.add(workload_, std::move(command), time * program_.commands.size() + step.what, thread);
  }

  Address place(const MeasuredCopy& copy) {
    const Address at = copied_from_ + copied_;
    copied_ = (copied_ + (copy.bytes + kAlignment - 1) / kAlignment * kAlignment) % (kCopiedEach / 2);
    return at;
  }

  // --- Assumptions ---

  void warn(const std::string& what) { workload_.warnings.push_back(program_.path + ": " + what); }

  void say() {
    workload_.warnings.insert(workload_.warnings.end(), program_.warnings.begin(), program_.warnings.end());
    for (const ProgramNote& note : program_.notes)
      out_.checks.push_back({note.check, note.what, note.count, note.first});
    for (const ProgramCheck& check : timing_.checks) out_.checks.push_back(check);
    for (const ProgramCheck& check : kernels_.checks()) out_.checks.push_back(check);
    out_.with_demand = kernels_.with_demand();
    if (auto link = link_check(program_, gpu_, workload_.settings)) out_.checks.push_back(std::move(*link));
    for (const ProgramCheck& check : out_.checks)
      warn(fmt::format("{} {}; the first is {}", check.count, check.meaning, check.first));
    say_what_gpu();
  }

  void say_what_gpu() {
    const MeasuredGpu& from = program_.gpu;
    const std::string name = from.name.empty() ? "a GPU without a name" : from.name;
    if (!from.sms) {
      warn(fmt::format("does not say how many SMs {} has; assumed: the {} of {}", name, gpu_.sms, gpu_.name));
    } else if (*from.sms != gpu_.sms) {
      warn(
          fmt::format("was measured on {}, {} SMs, and runs on {}, {} SMs: blocks last as measured, kernels of several "
                      "waves do not",
                      name, *from.sms, gpu_.name, gpu_.sms));
    }
    std::string unknown;
    const auto check = [&](bool known, const char* what) {
      if (!known) unknown += (unknown.empty() ? "" : ", ") + std::string(what);
    };
    check(from.warps.has_value(), "warps");
    check(from.blocks.has_value(), "blocks");
    check(from.registers.has_value(), "registers");
    check(from.shared_memory.has_value(), "shared memory");
    if (!unknown.empty())
      warn(fmt::format("does not say what an SM of {} holds ({}); assumed: as one of {}", name, unknown, gpu_.name));
  }

  const Program& program_;
  const std::vector<ApplicationId>& applications_;
  const ProgramRun& run_;
  const GpuConfig& gpu_;
  Workload& workload_;
  LaunchList& launches_;
  MeasuredKernels kernels_;
  Clock clock_;
  StreamId first_stream_;
  Address copied_from_;
  Bytes copied_ = 0;
  Nanoseconds origin_ = 0;
  Dependences timing_;
  std::vector<std::shared_ptr<ProgramKernel>> kernels_made_;  ///< null for copies
  std::vector<Job> jobs_;
  std::vector<std::optional<std::size_t>> job_of_;      ///< index in jobs_ of each command's job
  std::map<std::size_t, std::uint32_t> job_number_;     ///< jobs of the workload in this repetition
  std::vector<std::optional<std::uint32_t>> event_of_;  ///< events of the workload in this repetition
  std::uint32_t task_ = 0;
  std::optional<std::uint32_t> job_;  ///< job of this repetition
  std::optional<std::uint32_t> barrier_;
  ReplayedProgram out_;
};

/// Capacity of a stream's launch queue if no call is known to have met a full one (launch queues of CUDA hold 1024 commands;
/// CUDA environment variables, CUDA_SCALE_LAUNCH_QUEUES).
constexpr std::size_t kLaunchQueue = 1024;

void ask_for(Workload& workload, const std::string& key, std::size_t value) {
  const std::string begin = key + "=";
  for (std::string& setting : workload.settings) {
    if (setting.compare(0, begin.size(), begin) != 0) continue;
    setting = begin + std::to_string(std::max<std::size_t>(value, std::stoul(setting.substr(begin.size()))));
    return;
  }
  workload.settings.push_back(begin + std::to_string(value));
}

}  // namespace

ReplayedProgram add_program(const Program& program, const std::vector<ApplicationId>& applications,
                            const ProgramRun& run, const GpuConfig& gpu, Workload& workload, LaunchList& launches) {
  Replay replay(program, applications, run, gpu, workload, launches);
  ReplayedProgram out = replay.add();
  if (out.release == Release::kProgram)
    ask_for(workload, "host.launch_queue", replay.launch_queue() ? replay.launch_queue() : kLaunchQueue);
  int most_urgent = 0;
  for (const StreamSpec& stream : workload.streams) most_urgent = std::min(most_urgent, stream.priority);
  if (most_urgent < -1) ask_for(workload, "work_distributor.priorities", static_cast<std::size_t>(1 - most_urgent));
  return out;
}

const std::vector<std::string>& release_names() {
  static const std::vector<std::string> names{"program", "launch", "start", "none"};
  return names;
}

}  // namespace gputlm
