/// The work of the host: the calls of its threads, and the kernels that they launch. Filled from a workload file
/// (platform/input/workload_file.h), from traces (platform/input/trace_application.h) or other inputs
/// (platform/input/run_input.h).
#pragma once

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/instances.h"
#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"
#include "models/l2/access_policy.h"
#include "models/memory_map/config.h"
#include "models/regulator/budget.h"
#include "tlm/access.h"
#include "tlm/base/record.h"
#include "tlm/copy.h"
#include "tlm/engine_share.h"

namespace gputlm {

inline constexpr int kMinPriority = -128, kMaxPriority = 127;  ///< priorities of a stream
inline constexpr Bytes kMaxAllocated = Bytes{1} << 40;         ///< bytes of an allocation, or copied by one command
inline constexpr unsigned kMaxPhases = 1000000;
inline constexpr Cycle kMaxAloneCycles = 1000000000000000;  ///< days on any GPU

/// A range of an application's addresses whose pages are in different channels or slices from the rest of its memory.
struct ColouredAllocation {
  Address base = 0;
  Bytes bytes = 0;
  // One of these:
  std::optional<std::bitset<kMaxDramChannels>> dram_channels = std::nullopt;
  std::optional<std::bitset<kMaxL2Slices>> l2_slices = std::nullopt;
  std::string file = {};  ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ColouredAllocation;
    v.structure(&S::base, "base");
    v.required(&S::bytes, "bytes", Size{1, kMaxAllocated}, "Size, in whole lines of 128 bytes");
    v.field(&S::dram_channels, "dram_channels", Ids<kMaxDramChannels>{"a", "DRAM channel"},
            "Channels, with their L2 slices, in which it lies: [0-3, 6]");
    v.field(&S::l2_slices, "l2_slices", Ids<kMaxL2Slices>{"an", "L2 slice"}, "L2 slices in which it lies");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

struct ApplicationSpec {
  std::string name;
  std::optional<SmSet> sms = std::nullopt;  ///< SMs for its blocks; none: all
  /// Launches the whole application again whenever all its launches have ended, until every application has ended once.
  /// Then the run ends and cuts off what is running (fr-rr-fcfs, section 2.2). Release times count from the relaunch.
  bool relaunch = false;
  EngineShare share = {};
  std::optional<MemoryBudget> memory_budget = std::nullopt;
  std::optional<unsigned> l2_ways = std::nullopt;                ///< exclusive ways of each L2 set
  std::optional<Bytes> persisting_l2_cache_size = std::nullopt;  ///< bytes of the L2 set aside (models/l2/set_aside.h)
  /// Location of its memory's pages, by one of these; none: everywhere (models/memory_map/memory_map.h).
  std::optional<std::bitset<kMaxDramChannels>> dram_channels = std::nullopt;
  std::optional<std::bitset<kMaxL2Slices>> l2_slices = std::nullopt;
  std::vector<ColouredAllocation> allocations = {};    ///< allocations with another location
  std::optional<std::string> instance = std::nullopt;  ///< the GPU instance on which it runs
  std::string trace = {};           ///< launch list of a traced program (platform/input/trace_application.h)
  std::string trace_launches = {};  ///< launches of the list, "1,3-5"; empty: all
  std::string file = {};            ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ApplicationSpec;
    v.structure(&S::name, "name");
    v.field(&S::sms, "sms", Ids<kMaxSms>{"an", "SM"}, "SMs that its blocks go to: [0-29, 35]; default: all");
    v.field(&S::relaunch, "relaunch", Flag{}, "Relaunch it until every application has ended once",
            "fr-rr-fcfs, section 2.2");
    v.part(&S::share);
    v.field(&S::l2_ways, "l2_ways", Whole{1, 64, "ways"},
            "Ways of each set of the L2 reserved for its lines; default: the unreserved ways",
            "Intel, Cache Allocation Technology");
    v.field(&S::persisting_l2_cache_size, "persisting_l2_cache_size", Size{1, kMaxPolicyWindow},
            "Part of the L2 set aside for its persisting accesses; default: none",
            "CUDA Runtime API, cudaDeviceSetLimit: cudaLimitPersistingL2CacheSize");
    v.field(&S::dram_channels, "dram_channels", Ids<kMaxDramChannels>{"a", "DRAM channel"},
            "Channels, with their L2 slices, in which its memory lies: [0-3, 6]; default: all",
            "Jain et al., Fractional GPUs, RTAS 2019: page colouring");
    v.field(&S::l2_slices, "l2_slices", Ids<kMaxL2Slices>{"an", "L2 slice"},
            "L2 slices in which its memory lies; default: all");
    v.structure(&S::allocations, "allocations");
    v.record(&S::memory_budget, "memory_budget", "Bytes that it may move in a period");
    v.field(&S::instance, "instance", Text{}, "Entry of `instances` that it runs on");
    v.structure(&S::trace, "trace");
    v.structure(&S::trace_launches, "kernels");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

/// Ordering of a stream against the others of its application (CUDA programming guide, "default stream"; Amert et al., RTSS
/// 2017, NULL stream).
enum class StreamKind : std::uint8_t {
  kBlocking,     ///< its commands and those of the default stream run in order of issue
  kNonBlocking,  ///< not ordered against the default stream
  kDefault,      ///< CUDA stream 0, also called NULL stream; one per application
};

struct StreamSpec {
  std::string name;
  ApplicationId application = 0;
  int priority = 0;  ///< CUDA's convention: lower is more urgent
  StreamKind kind = StreamKind::kBlocking;
  std::optional<AccessPolicyWindow> access_policy_window = std::nullopt;  ///< window of its launches
  std::string file = {};  ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = StreamSpec;
    v.structure(&S::name, "name");
    v.structure(&S::application, "application");
    v.field(&S::priority, "priority", Signed{kMinPriority, kMaxPriority, kPlain}, "Priority; lower is more urgent",
            "CUDA Runtime API, cudaStreamCreateWithPriority");
    v.structure(&S::kind, "kind");
    v.record(&S::access_policy_window, "access_policy_window", "How lines that its launches access are kept in the L2");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

/// Memory with common addresses on CPU and GPU (cudaMallocManaged). If the GPU has an MMU and a link to the host, its pages
/// start in the host's memory and migrate to the GPU when kernels use them.
struct ManagedAllocation {
  std::string name;
  Address address = 0;
  Bytes bytes = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ManagedAllocation;
    v.structure(&S::name, "name");
    v.structure(&S::address, "address");
    v.required(&S::bytes, "bytes", Size{1, kMaxAllocated}, "Size");
  }
};

/// A point in a stream: reached when everything before it in the stream has ended. Recorded once per launch of its
/// application.
struct EventSpec {
  std::string name;  ///< unique in its application
  ApplicationId application = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    v.structure(&EventSpec::name, "name");
    v.structure(&EventSpec::application, "application");
  }
};

/// Criticality of a task (Vestal, "Preemptive Scheduling of Multi-Criticality Systems with Varying Degrees of Execution
/// Time Assurance", RTSS 2007): jobs of tasks of level hi that take more than their budget of level lo change the mode.
enum class Criticality : std::uint8_t { kLo, kHi };

/// Treatment of the jobs of a task of level lo in mode hi.
enum class InHiMode : std::uint8_t {
  kDrop,  ///< none begins (Baruah, Burns and Davis, "Response-Time Analysis for Mixed Criticality Systems", RTSS 2011)
  kDegrade,  ///< every n-th runs (Su and Zhu, "An Elastic Mixed-Criticality Task Model", DATE 2013: longer periods)
  kKeep,     ///< all run
};

/// Worst-case execution time of a job alone, for each level of criticality (Vestal, RTSS 2007).
struct Wcet {
  Femtoseconds lo = 0;
  std::optional<Femtoseconds> hi = std::nullopt;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Wcet;
    v.required(&S::lo, "lo", Microseconds{0.001, kMaxReleaseUs}, "Time of a job that does not overrun");
    v.field(&S::hi, "hi", Microseconds{0.001, kMaxReleaseUs},
            "Time of a job that overruns; only for tasks of criticality hi");
  }
};

/// A recurring piece of work, each instance of which is a job; jobs' response times are reported by task.
struct TaskSpec {
  std::string name;  ///< unique in the workload
  ApplicationId application = 0;
  std::optional<Femtoseconds> deadline = std::nullopt;  ///< deadline for the response time of each job
  /// Guaranteed minimum time between releases of jobs in any run, used by response-time analysis; none: as observed in the
  /// runs.
  std::optional<Femtoseconds> min_interarrival = std::nullopt;
  Criticality criticality = Criticality::kLo;
  InHiMode in_hi_mode = InHiMode::kDrop;    ///< what its jobs do in mode hi, for a task of level lo
  std::uint32_t degraded_every = 2;         ///< if degraded, every n-th job runs
  std::optional<Wcet> wcet = std::nullopt;  ///< bounds specified by the user; measurements may differ
  std::string file = {};                    ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = TaskSpec;
    v.structure(&S::name, "name");
    v.structure(&S::application, "application");
    v.field(&S::deadline, "deadline_us", Microseconds{0, kMaxReleaseUs}, "Deadline of each job, for its response time");
    v.field(&S::min_interarrival, "min_interarrival_us", Microseconds{0.001, kMaxReleaseUs},
            "Minimum time between releases in any run, for bounds; default: period_us for sporadic releases without "
            "jitter, else as released");
    v.field(
        &S::criticality, "criticality", OneOf{"lo", "hi"},
        "Criticality level; a job of a task of level hi that overruns its budget of level lo changes the mode to hi",
        "Vestal, RTSS 2007");
    v.field(&S::in_hi_mode, "in_hi_mode", OneOf{"drop", "degrade", "keep"},
            "For a task of level lo: in mode hi none of its jobs begins, or one of `degraded_every`, or all",
            "Baruah et al., RTSS 2011: AMC");
    v.field(&S::degraded_every, "degraded_every", Whole{2, 1000, "jobs"},
            "With in_hi_mode: degrade, one of this many jobs runs in mode hi");
    v.record(&S::wcet, "wcet_us", "Longest time of a job alone, by level: {lo: 60, hi: 120}");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

/// One job of a task: some commands, released together. It ends when the last of them has.
struct JobSpec {
  std::uint32_t task = 0;    ///< index in Workload::tasks
  std::uint32_t number = 0;  ///< number within its task, from 0
  Femtoseconds release = 0;  ///< time after the start of its phase
  unsigned phase = 0;
  bool when_reached = false;  ///< released when its thread reaches it, however late
  bool overruns = false;      ///< the job executes its launches beyond the budget

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = JobSpec;
    v.structure(&S::task, "task");
    v.structure(&S::number, "number");
    v.structure(&S::release, "release");
    v.structure(&S::phase, "phase");
    v.structure(&S::when_reached, "when_reached");
    v.structure(&S::overruns, "overruns");
  }
};

inline constexpr const char* kDelayMeaning =
    "Time from when nothing holds it back until it is submitted to the GPU: the overhead of driver and GPU before it "
    "begins";

/// One kernel launch. Launches of a stream run one after the other, in the order of Workload::launches.
struct LaunchCommand {
  std::string label;  ///< name in the results; unique in the workload
  StreamId stream = 0;
  std::shared_ptr<Kernel> kernel;
  Femtoseconds release = 0;  ///< earliest time after the start of its phase
  /// Overhead of driver and GPU before it begins: the time from when it is unblocked until the host submits it. A command
  /// is blocked until its call has been made, all commands before it in its stream have ended, the events for which it
  /// waits are reached, and the order of the default stream permits it.
  Femtoseconds delay = 0;
  /// It may begin when the previous command in its stream has begun, rather than ended (CUDA programming guide,
  /// "Programmatic Dependent Launch and Synchronization"; nodes of a CUDA graph that do not depend on each other).
  bool overlaps = false;
  /// After a launch, its blocks may begin when all of that launch's blocks have ended or reached launch_dependents, and
  /// wait for its end at grid_dependency_wait (cudaLaunchAttributeProgrammaticStreamSerialization).
  bool programmatic = false;
  std::uint8_t budget = 1;  ///< budget of its warps in the warp scheduler (qaws, section IV); larger before smaller
  std::optional<Femtoseconds> deadline = std::nullopt;  ///< deadline for its response time; does not affect the run
  std::optional<Cycle> alone_cycles = std::nullopt;     ///< as in KernelLaunch
  std::optional<SmSet> sms = std::nullopt;              ///< SMs for its blocks, among its application's; none: all
  CacheConfig cache_config = CacheConfig::kAny;
  std::optional<unsigned> shared_percent = std::nullopt;                  ///< share of the largest carve-out in %
  std::optional<AccessPolicyWindow> access_policy_window = std::nullopt;  ///< window that replaces its stream's
  std::optional<std::uint32_t> job = std::nullopt;                        ///< index of its job in Workload::jobs
  /// Executed only by jobs that overrun. When it is unblocked, the commands before it have used up the job's budget of
  /// level lo, and the mode becomes hi.
  bool beyond_budget = false;
  unsigned phase = 0;  ///< a phase starts when everything of the phase before has ended (a device synchronize)
  std::string file;    ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = LaunchCommand;
    v.structure(&S::label, "label");
    v.structure(&S::stream, "stream");
    v.structure(&S::kernel, "kernel");
    v.structure(&S::release, "release");
    v.field(&S::delay, "delay_us", Microseconds{0, kMaxReleaseUs}, kDelayMeaning);
    v.field(&S::overlaps, "overlaps", Flag{}, "It may begin when the command before it in its stream has begun",
            "CUDA programming guide, Programmatic Dependent Launch and Synchronization");
    v.field(&S::programmatic, "programmatic_dependent_launch", Flag{},
            "Behind a launch, it begins when all blocks of that launch have ended or reached launch_dependents",
            "CUDA programming guide, Programmatic Dependent Launch and Synchronization");
    v.field(&S::budget, "budget", Whole{1, 255, kPlain}, "Budget of its warps; only the warp scheduler qaws uses it",
            "qaws, section IV");
    v.field(&S::deadline, "deadline_us", Microseconds{0, kMaxReleaseUs},
            "Deadline of each repetition, for its response time");
    v.field(&S::alone_cycles, "alone_cycles", Whole{1, kMaxAloneCycles, "core cycles"},
            "Runtime alone; only kernel orders that are oracles use it", "srtf, section 6.2");
    v.field(&S::sms, "sms", Ids<kMaxSms>{"an", "SM"}, "SMs of its application that its blocks go to; default: all");
    v.field(&S::cache_config, "cache_config", OneOf{"any", "shared", "l1", "equal"}, "As cudaFuncSetCacheConfig");
    v.field(&S::shared_percent, "shared_percent", Whole{0, 100, "%"},
            "Preferred shared memory of the launch, relative to the largest carve-out; the rest of the array is L1",
            "CUDA Runtime API, cudaFuncSetAttribute: preferred carve-out");
    v.record(&S::access_policy_window, "access_policy_window", "How lines that it accesses are kept in the L2");
    v.structure(&S::job, "job");
    v.field(
        &S::beyond_budget, "beyond_budget", Flag{},
        "Launch of a job of criticality hi that is made only if the job overruns; when it may begin, the mode is hi",
        "Vestal, RTSS 2007");
    v.structure(&S::phase, "phase");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

/// A copy or a memset.
struct CopyCommand {
  std::string label;  ///< name in the results; unique in the workload
  StreamId stream = 0;
  CopyKind kind = CopyKind::kHostToDevice;
  Address from = 0;  ///< address in the host's or the GPU's memory; a memset has none
  Address to = 0;
  Bytes bytes = 0;  ///< number of bytes, at least 1
  /// The host memory is not pinned: the copy is slower, and its thread waits (cuda-hierarchy, section II-C).
  bool pageable = false;
  std::optional<std::uint32_t> job = std::nullopt;  ///< index of its job in Workload::jobs
  bool blocking = false;                            ///< the calling thread waits until it has ended (cudaMemcpy)
  Femtoseconds delay = 0;                           ///< as in LaunchCommand
  bool overlaps = false;                            ///< as in LaunchCommand
  /// For a pageable copy: its thread continues, since the driver has copied the host's memory into its own pinned buffer
  /// (CUDA Runtime API, "API synchronization behavior"). As fast as a pinned copy, if the buffer holds all of it
  /// (CopyEngineConfig::staging).
  bool staged = false;
  std::string file = {};  ///< source file, for messages; empty: from C++
  std::size_t line = 0;

  /// Whether the calling thread waits until it has ended.
  bool holds_thread() const { return blocking || (pageable && !staged); }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = CopyCommand;
    v.structure(&S::label, "label");
    v.structure(&S::stream, "stream");
    v.structure(&S::kind, "kind");
    v.structure(&S::from, "from");
    v.structure(&S::to, "to");
    v.structure(&S::bytes, "bytes");
    v.field(&S::pageable, "pageable", Flag{}, "Its host memory is not pinned: slower, and its thread waits",
            "cuda-hierarchy, section II-C");
    v.structure(&S::job, "job");
    v.field(&S::blocking, "blocking", Flag{}, "The thread waits for its end", "CUDA Runtime API, cudaMemcpy");
    v.field(&S::delay, "delay_us", Microseconds{0, kMaxReleaseUs}, kDelayMeaning);
    v.field(&S::overlaps, "overlaps", Flag{}, "It may begin when the command before it in its stream has begun");
    v.field(&S::staged, "staged", Flag{},
            "For pageable host memory: the driver has staged it; the thread continues, and up to `copy_engine.staging` "
            "it is as fast as from pinned memory",
            "CUDA Runtime API, API synchronization behavior");
    v.origin(&S::file);
    v.origin(&S::line);
  }
};

/// An API call of a host thread, or its activity between two calls. Calls with a stream put a command into it; the thread
/// continues at once.
struct HostCall {
  enum class Kind : std::uint8_t {
    kLaunch,             ///< launches Workload::launches[what], not before its release and its phase
    kCopy,               ///< copies as in Workload::copies[what]
    kRecordEvent,        ///< Workload::events[what] is reached when the command is at the head of `stream`
    kWaitEvent,          ///< later commands in `stream` wait for Workload::events[what]
    kReleaseJob,         ///< the thread waits until Workload::jobs[what] is released
    kHostFunction,       ///< the thread computes for `time`
    kWaitUntil,          ///< the thread waits until `time` after the origin of release times
    kSynchronizeStream,  ///< the thread waits until all commands issued to `stream` so far have ended
    kSynchronizeDevice,  ///< ... to any stream of its application; so do calls that allocate or free device memory
    kSynchronizeEvent,   ///< ... until Workload::events[what] is reached (cudaEventSynchronize)
    kBarrier,            ///< the thread waits until all threads that can still reach barrier `what` have
    kLoop,               ///< a loop begins; its body extends to its kRepeat
    /// Repeats the loop that began with call `what`, unless it has been done `count` times (0: unlimited) or `time` has
    /// passed since it began (0: unlimited). Repeated launches are called "LABEL@2", "LABEL@3" ...; release times count
    /// from the iteration. Loops are not nested, and not in applications with relaunch.
    kRepeat,
  };
  Kind kind = Kind::kLaunch;
  StreamId stream = 0;
  std::uint32_t what = 0;
  Femtoseconds time = 0;
  std::size_t line = 0;  ///< line in the thread's file; 0: from C++
  std::uint32_t count = 0;

  bool has_stream() const { return kind <= Kind::kWaitEvent; }
  bool is_for_engine() const { return kind <= Kind::kCopy; }
  /// Whether this is an API call; otherwise it is activity between two calls.
  bool is_of_the_interface() const {
    return has_stream() || kind == Kind::kSynchronizeStream || kind == Kind::kSynchronizeDevice ||
           kind == Kind::kSynchronizeEvent;
  }
  /// Whether the thread may have to wait for others in this call.
  bool synchronizes() const {
    return kind == Kind::kSynchronizeStream || kind == Kind::kSynchronizeDevice || kind == Kind::kSynchronizeEvent ||
           kind == Kind::kBarrier;
  }

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = HostCall;
    v.structure(&S::kind, "kind");
    v.structure(&S::stream, "stream");
    v.structure(&S::what, "what");
    v.structure(&S::time, "time");
    v.origin(&S::line);
    v.structure(&S::count, "count");
  }
};

/// A thread of the host program, which makes its calls in sequence.
struct ThreadSpec {
  std::string name;
  ApplicationId application = 0;
  std::vector<HostCall> calls = {};
  std::string file = {};  ///< source file, for messages; empty: from C++
  Bytes allocated = 0;    ///< peak device memory allocated by its own calls

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = ThreadSpec;
    v.structure(&S::name, "name");
    v.structure(&S::application, "application");
    v.structure(&S::calls, "calls");
    v.origin(&S::file);
    v.origin(&S::allocated);  // does not affect the run
  }
};

/// Base class for the source of a workload, for formats whose results refer to it.
struct WorkloadOrigin {
  WorkloadOrigin() = default;
  WorkloadOrigin(const WorkloadOrigin&) = delete;
  WorkloadOrigin& operator=(const WorkloadOrigin&) = delete;
  virtual ~WorkloadOrigin() = default;
};

struct Workload {
  std::vector<ApplicationSpec> applications;
  std::vector<StreamSpec> streams;
  std::vector<LaunchCommand> launches;  ///< ordered by phase, then by position in their streams
  std::vector<CopyCommand> copies;      ///< copies in the order of their source
  std::vector<EventSpec> events;
  std::vector<TaskSpec> tasks;
  std::vector<JobSpec> jobs;  ///< jobs of a task in order of number
  std::vector<ManagedAllocation> managed;
  std::vector<InstanceSpec> instances;  ///< instances of the GPU instead of those in its file; empty: those in its file
  /// A stream that no call names has a separate thread, which makes the stream's launches in order: see host_threads().
  std::vector<ThreadSpec> threads;
  std::vector<std::string> settings;  ///< GPU parameters that it requests, key=value
  std::vector<std::string> warnings;  ///< parts of its source that have no effect
  std::shared_ptr<const WorkloadOrigin> origin;

  template <class Visitor>
  static constexpr void describe(Visitor& v) {
    using S = Workload;
    v.structure(&S::applications, "applications");
    v.structure(&S::streams, "streams");
    v.structure(&S::launches, "launches");
    v.structure(&S::copies, "copies");
    v.structure(&S::events, "events");
    v.structure(&S::tasks, "tasks");
    v.structure(&S::jobs, "jobs");
    v.structure(&S::managed, "managed");
    v.structure(&S::instances, "instances");
    v.structure(&S::threads, "threads");
    v.origin(&S::settings);  // the GPU's configuration has them
    v.origin(&S::warnings);
    v.origin(&S::origin);
  }

  /// Whether a job may overrun its budget of level lo and change the mode.
  bool has_modes() const {
    return std::any_of(launches.begin(), launches.end(), [](const LaunchCommand& l) { return l.beyond_budget; });
  }
  /// Whether an application has relaunch.
  bool relaunches() const {
    return std::any_of(applications.begin(), applications.end(), [](const ApplicationSpec& a) { return a.relaunch; });
  }
};

/// Name of a launch in the results: its label; for the n-th repetition, by its application or a loop, "LABEL@n+1".
inline std::string launch_label(const Workload& workload, std::uint32_t command, std::uint32_t iteration) {
  const std::string& label = workload.launches[command].label;
  return iteration == 0 ? label : label + "@" + std::to_string(iteration + 1);
}

/// The same for a copy.
inline std::string copy_label(const Workload& workload, std::uint32_t command, std::uint32_t iteration) {
  const std::string& label = workload.copies[command].label;
  return iteration == 0 ? label : label + "@" + std::to_string(iteration + 1);
}

/// The same for a job: "TASK#number".
inline std::string job_label(const Workload& workload, std::uint32_t job, std::uint32_t iteration) {
  const JobSpec& spec = workload.jobs[job];
  const std::string label = workload.tasks[spec.task].name + "#" + std::to_string(spec.number + 1);
  return iteration == 0 ? label : label + "@" + std::to_string(iteration + 1);
}

/// All threads: those of the workload, and the separate threads of streams.
std::vector<ThreadSpec> host_threads(const Workload& workload);

/// Throws InputError, with file and line, if a thread waits for an event that is never recorded, or if calls wait for each
/// other in a cycle.
void check_waits(const Workload& workload);

}  // namespace gputlm
