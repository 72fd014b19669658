#include "platform/measured/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "models/kernel/program_kernel.h"
#include "models/work_distributor/resources.h"
#include "platform/input/launch_list.h"

namespace gputlm {
namespace {

constexpr Femtoseconds kNanosecond = 1'000'000;
constexpr Address kCopied = 0x600000000000;  // copies have no addresses in a timeline; away from what others use
constexpr Bytes kAlignment = 4096;

/// From the last instant of a block's spin to its end, in core cycles: its warps exit through the control pipelines.
Cycle exit_time(const Kernel& kernel, const SmConfig& sm) {
  const unsigned warps_each = (kernel.warps_per_block() + sm.sub_cores - 1) / sm.sub_cores;
  return 1 + Cycle{warps_each - 1} * sm.control.interval;
}

class Replay {
 public:
  Replay(const MeasuredTimeline& timeline, const GpuConfig& gpu, MeasuredRelease release)
      : timeline_(timeline), gpu_(gpu), release_(release), clock_(Clock::from_mhz(gpu.core_mhz)),
        sms_(timeline.gpu.sms.value_or(gpu.sms)), limits_(timeline.gpu.limits(gpu.sm)) {}

  Workload make() {
    workload_.warnings = timeline_.warnings;
    say_what_is_assumed();
    find_origin();
    add_streams();
    // Kernels and copies in the order in which they began, so that each stream has its own.
    std::size_t copy = 0;
    for (const MeasuredKernel& kernel : timeline_.kernels) {
      while (copy < timeline_.copies.size() && timeline_.copies[copy].start < kernel.start)
        add(timeline_.copies[copy++]);
      add(kernel);
    }
    while (copy < timeline_.copies.size()) add(timeline_.copies[copy++]);
    if (too_short_ > 0)
      warn(fmt::format(
          "{} kernels are shorter than it takes to launch them and to send their blocks here, one in {} core cycles; "
          "the first is {}",
          too_short_, gpu_.work_distributor.dispatch_interval, first_too_short_));
    launches_.move_to(workload_);
    return std::move(workload_);
  }

 private:
  void warn(const std::string& what) { workload_.warnings.push_back(timeline_.path + ": " + what); }

  void say_what_is_assumed() {
    const MeasuredGpu& from = timeline_.gpu;
    const std::string name = from.name.empty() ? "a GPU without a name" : from.name;
    if (!from.sms) {
      warn(fmt::format("does not say how many SMs {} has; assumed: the {} of {}", name, sms_, gpu_.name));
    } else if (*from.sms != gpu_.sms) {
      warn(fmt::format(
          "was measured on {}, {} SMs, and runs on {}, {} SMs: blocks last as there, kernels of several waves "
          "do not",
          name, sms_, gpu_.name, gpu_.sms));
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

  Nanoseconds released(const MeasuredCommand& command) const {
    return release_ == MeasuredRelease::kLaunch ? command.launched.value_or(command.start) : command.start;
  }

  void find_origin() {
    origin_ = INT64_MAX;
    for (const MeasuredKernel& kernel : timeline_.kernels) origin_ = std::min(origin_, released(kernel));
    for (const MeasuredCopy& copy : timeline_.copies) origin_ = std::min(origin_, released(copy));
  }

  void add_streams() {
    std::map<std::pair<std::uint64_t, std::uint64_t>, ApplicationId> applications;  // by process and context
    std::map<std::uint64_t, std::string> processes;  // in ascending order, as their names
    for (const MeasuredStream& stream : timeline_.streams) processes[stream.process];
    std::size_t place = 0;
    for (auto& [process, name] : processes) name = timeline_.process_names[place++];
    std::map<std::string, std::set<std::pair<std::uint64_t, std::uint64_t>>> named;
    for (const MeasuredStream& stream : timeline_.streams)
      named[processes[stream.process]].emplace(stream.process, stream.context);
    for (const MeasuredStream& stream : timeline_.streams) {
      const auto id = static_cast<ApplicationId>(workload_.applications.size());
      const auto [application, is_new] = applications.emplace(std::make_pair(stream.process, stream.context), id);
      if (is_new) {
        ApplicationSpec spec;
        spec.name = processes[stream.process];
        if (named[spec.name].size() > 1)
          spec.name += fmt::format(" (process {}, context {})", stream.process, stream.context);
        spec.file = timeline_.path;
        workload_.applications.push_back(std::move(spec));
      }
      StreamSpec& spec = workload_.streams.emplace_back();
      spec.name = fmt::format("stream {}", stream.id);
      spec.application = application->second;
      spec.priority = stream.priority;
      spec.kind = stream.kind;
      spec.file = timeline_.path;
      workload_.threads.push_back({workload_.streams.back().name, application->second, {}, timeline_.path});
    }
  }

  /// The stream's thread waits until the command is due; returns when that is.
  Femtoseconds wait_for(const MeasuredCommand& command) {
    if (release_ == MeasuredRelease::kNone) return 0;
    const Femtoseconds due = static_cast<Femtoseconds>(released(command) - origin_) * kNanosecond;
    HostCall wait;
    wait.kind = HostCall::Kind::kWaitUntil;
    wait.time = due;
    if (due > 0) workload_.threads[command.stream].calls.push_back(wait);
    return due;
  }

  void add(const MeasuredKernel& measured) {
    ProgramSpec spec;
    spec.name = measured.name;
    spec.grid = measured.grid;
    spec.block = measured.block;
    spec.registers_per_thread = measured.registers;
    spec.shared_memory = measured.shared_memory;
    spec.file = timeline_.path;
    const auto shape = std::make_shared<ProgramKernel>(spec, 0);
    const Cycle duration = clock_.at_or_after(static_cast<Femtoseconds>(measured.end - measured.start) * kNanosecond);
    const Cycle cycles = block_spin(duration, *shape, sms_, limits_, gpu_);
    if (cycles == 0 && too_short_++ == 0) first_too_short_ = measured.label;
    spec.body = {spin(clock_.edge(cycles))};
    LaunchCommand command;
    command.label = measured.label;
    command.stream = static_cast<StreamId>(measured.stream);
    command.kernel = std::make_shared<ProgramKernel>(spec, 0);
    command.release = wait_for(measured);
    command.file = timeline_.path;
    launches_.add(workload_, std::move(command), launches_.size(), measured.stream);
  }

  void add(const MeasuredCopy& measured) {
    CopyCommand command;
    command.label = measured.label;
    command.stream = static_cast<StreamId>(measured.stream);
    command.kind = measured.kind;
    command.bytes = measured.bytes;
    command.pageable = measured.pageable;
    command.file = timeline_.path;
    if (measured.kind != CopyKind::kHostToDevice && measured.kind != CopyKind::kMemset) command.from = place(measured);
    if (measured.kind != CopyKind::kDeviceToHost) command.to = place(measured);
    wait_for(measured);
    HostCall call;
    call.kind = HostCall::Kind::kCopy;
    call.stream = command.stream;
    call.what = static_cast<std::uint32_t>(workload_.copies.size());
    workload_.threads[measured.stream].calls.push_back(call);
    workload_.copies.push_back(std::move(command));
  }

  Address place(const MeasuredCopy& copy) {
    const Address at = kCopied + copied_;
    copied_ = (copied_ + (copy.bytes + kAlignment - 1) / kAlignment * kAlignment) % (Bytes{1} << 40);
    return at;
  }

  const MeasuredTimeline& timeline_;
  const GpuConfig& gpu_;
  MeasuredRelease release_;
  Clock clock_;
  unsigned sms_;     ///< of the GPU that it was measured on
  SmLimits limits_;  ///< of one of them
  Workload workload_;
  LaunchList launches_;
  Nanoseconds origin_ = 0;
  Bytes copied_ = 0;
  std::size_t too_short_ = 0;
  std::string first_too_short_;
};

}  // namespace

/// A block goes to an SM every dispatch interval, or when a place is free: one that was sent comes a hop later, as does the
/// message of its end. So block i starts at the later of one interval after block i-1, and, of P places, two hops after the
/// end of block i-P; the last start is the longer of two paths: intervals only, or a wave after the other. Both are linear
/// in the time of a block. What the GPU does before the first block and after the last is no part of either.
Cycle block_spin(Cycle duration, const Kernel& kernel, unsigned sms, const SmLimits& limits, const GpuConfig& gpu) {
  const WorkDistributorConfig& distributor = gpu.work_distributor;
  duration -= std::min<Cycle>(duration, distributor.kernel_launch_latency + distributor.kernel_completion_latency);
  const BlockDemand demand = block_demand(kernel, limits, distributor);
  const std::uint64_t places = std::uint64_t{sms} * std::max(1u, residency(demand, capacity(limits)));
  const std::uint64_t last = kernel.blocks() - 1, waves = last / places;
  const auto sent = [&](std::uint64_t blocks) {
    return blocks * distributor.dispatch_interval / distributor.dispatch_width;
  };
  const Cycle by_sending = sent(last), by_waves = sent(last % places) + 2 * waves * distributor.launch_latency;
  const Cycle block =
      std::min(duration - std::min(duration, by_sending), (duration - std::min(duration, by_waves)) / (waves + 1));
  return block - std::min(block, exit_time(kernel, gpu.sm));
}

Workload measured_workload(const MeasuredTimeline& timeline, const GpuConfig& gpu, MeasuredRelease release) {
  return Replay(timeline, gpu, release).make();
}

}  // namespace gputlm
