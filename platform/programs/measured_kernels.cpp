#include "platform/programs/measured_kernels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "models/kernel/program_kernel.h"
#include "models/sm/blocks/spin.h"
#include "models/work_distributor/gpcs.h"
#include "models/work_distributor/resources.h"
#include "platform/input/parameters.h"

namespace gputlm {
namespace {

void count(ProgramCheck& check, const std::string& where) {
  if (check.count++ == 0) check.first = where;
}

constexpr Bytes kLeast = Bytes{4} << 20;
/// Machines with the same link differ by less (docs/gpu.md, "Copies": 22 to 26 GB/s for PCI Express 4.0 with 16 lanes); a
/// link of another generation, or with half the lanes, differs by a factor of two.
constexpr double kSame = 0.2;

bool shows_the_link(const MeasuredCommand& command) {
  const MeasuredCopy* const copy = command.copy();
  return copy && (copy->kind == CopyKind::kHostToDevice || copy->kind == CopyKind::kDeviceToHost) && !copy->pageable &&
         copy->bytes >= kLeast && command.duration() > 0;
}

/// `duration` includes the GPU's overhead before and after it.
std::shared_ptr<Kernel> asking(const Kernel& kernel, Cycle duration, const KernelDemand& demand, const GpuConfig& gpu) {
  ProgramSpec spec;
  spec.name = kernel.name;
  spec.grid = kernel.grid;
  spec.block = kernel.block;
  spec.registers_per_thread = kernel.registers_per_thread;
  spec.shared_memory = kernel.shared_memory;
  spec.body = {spin(Clock::from_mhz(gpu.core_mhz).edge(block_spin(duration, kernel, gpu.sms, gpu.sm, gpu)))};
  spec.demand = demand;
  return std::make_shared<ProgramKernel>(std::move(spec), 0);
}

}  // namespace

SmLimits MeasuredGpu::limits(const SmLimits& assumed) const {
  SmLimits limits = assumed;
  if (warps) limits.warps = *warps, limits.threads = *warps * static_cast<unsigned>(kWarpSize);
  if (blocks) limits.blocks = *blocks;
  if (registers) limits.registers = *registers;
  if (shared_memory) limits.shared_memory = *shared_memory;
  return limits;
}

MeasuredKernels::MeasuredKernels(const Program& program, const GpuConfig& gpu, std::optional<unsigned> share_sms)
    : program_(program), gpu_(gpu), share_sms_(share_sms), clock_(Clock::from_mhz(gpu.core_mhz)),
      sms_(program.gpu.sms.value_or(gpu.sms)), limits_(program.gpu.limits(gpu.sm)),
      short_{
          "short kernels",
          fmt::format("kernels are shorter than it takes to launch them and to send their blocks here, one in {} core "
                      "cycles; they last that long",
                      gpu.work_distributor.dispatch_interval),
          0},
      unknown_share_{"size of a share",
                     "kernels ran on a part of the GPU (a green context) whose number of SMs the capture does not "
                     "give; set it by --sms, or by measured_sms of the application. The replay assumes all SMs",
                     0},
      clusters_{"clusters",
                fmt::format("kernels have clusters that this GPU cannot hold (work_distributor.cluster_blocks is {}, "
                            "non_portable_cluster_blocks {}), so that their blocks are placed one by one",
                            gpu.work_distributor.cluster_blocks, gpu.work_distributor.non_portable_cluster_blocks),
                0},
      no_demand_{"no demand",
                 "kernels have no launch of their name, grid and block in the profile: they ask for SMs only", 0},
      partly_{"partly measured", "kernels lack counters in the profile", 0},
      mean_{"mean demand",
            "kernels have the mean of the profiled launches of their kind, since the profile has fewer launches than "
            "the capture",
            0},
      by_function_{
          "demand by function",
          "kernels have the demand of a kernel of the same function, grid and block whose name is spelled differently",
          0} {}

std::optional<unsigned> MeasuredKernels::share_size(const MeasuredKernel& kernel) const {
  if (!kernel.share) return std::nullopt;
  const auto known = program_.shares[*kernel.share].sms;
  const auto size = known ? known : share_sms_;
  return size ? std::optional(std::clamp(*size, 1u, sms_)) : std::nullopt;
}

std::optional<SmSet> MeasuredKernels::sms(const MeasuredKernel& kernel) const {
  const auto size = share_size(kernel);
  if (!size) return std::nullopt;
  SmSet set;
  for (unsigned sm = 0; sm < std::min(*size, gpu_.sms); ++sm) set.set(sm);
  return set;
}

ProgramSpec MeasuredKernels::spec_of(const MeasuredKernel& kernel) const {
  ProgramSpec spec;
  spec.name = kernel.name;
  spec.grid = kernel.grid;
  spec.block = kernel.block;
  spec.registers_per_thread = kernel.registers;
  spec.shared_memory = kernel.shared_memory;
  spec.file = program_.path;
  if (kernel.unknown_shape) {
    spec.grid = {std::min(share_size(kernel).value_or(gpu_.sms), gpu_.sms)};  // SMs of its share
    spec.block = {std::min<std::uint32_t>(static_cast<std::uint32_t>(kMaxThreadsPerBlock), limits_.threads)};
  }
  if (holds_clusters(kernel)) {
    spec.cluster = kernel.cluster;
    spec.non_portable_cluster = kernel.cluster.count() > gpu_.work_distributor.cluster_blocks;
  }
  return spec;
}

/// Whether the GPU supports clusters of this size, and a GPC has room for one within the SMs that the kernel may use.
bool MeasuredKernels::holds_clusters(const MeasuredKernel& kernel) const {
  const std::uint64_t blocks = kernel.cluster.count();
  const Dim3 &grid = kernel.grid, &cluster = kernel.cluster;
  if (blocks == 1 || blocks > gpu_.work_distributor.non_portable_cluster_blocks || kernel.unknown_shape) return false;
  if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) return false;
  MeasuredKernel alone = kernel;
  alone.cluster = {};
  const unsigned of_sm = residency_of(alone);
  const SmSet may_use = sms(kernel).value_or(SmSet().set());
  return resident_clusters(static_cast<unsigned>(blocks), of_sm, gpc_sets(gpu_.sms_of_gpcs()), may_use) > 0;
}

unsigned MeasuredKernels::residency_of(const MeasuredKernel& kernel) const {
  const ProgramKernel shape(spec_of(kernel), 0);
  return std::max(1u, residency(block_demand(shape, limits_, gpu_.work_distributor), capacity(limits_)));
}

double MeasuredKernels::share_of_gpu(const MeasuredKernel& kernel) const {
  const double places = static_cast<double>(residency_of(kernel)) * sms_of(kernel);
  const auto blocks = static_cast<double>(spec_of(kernel).grid.count());
  return std::min(1.0, blocks / places);
}

double MeasuredKernels::least_share_of_gpu(const MeasuredKernel& kernel) const { return 1.0 / residency_of(kernel); }

void MeasuredKernels::give_demand(const MeasuredCommand& command, ProgramSpec& spec) {
  const MeasuredKernel& kernel = *command.kernel();
  if (!kernel.demand) return count(no_demand_, command.label);
  ++with_demand_;
  spec.demand = *kernel.demand;
  std::size_t unknown = 0;
  for_each_count([&](const char* name, auto of) {
    if (of(*kernel.demand) || !profilers_have(name)) return;
    not_measured_.insert(name);
    ++unknown;
  });
  if (unknown > 0) count(partly_, command.label);
  if (kernel.mean_demand) count(mean_, command.label);
  if (kernel.demand_by_function) count(by_function_, command.label);
}

std::shared_ptr<ProgramKernel> MeasuredKernels::make(const MeasuredCommand& command) {
  const MeasuredKernel& kernel = *command.kernel();
  ProgramSpec spec = spec_of(kernel);
  const ProgramKernel shape(spec, 0);
  const Cycle duration = clock_.at_or_after(static_cast<Femtoseconds>(command.duration()) * kFemtosecondsOfNs);
  const Cycle cycles = block_spin(duration, shape, sms_of(kernel), limits_, gpu_);
  if (cycles == 0) count(short_, command.label);
  if (kernel.cluster.count() > 1 && shape.cluster.count() == 1) count(clusters_, command.label);
  if (kernel.share && !share_size(kernel)) {
    const unsigned each = residency_of(kernel);
    const std::uint64_t blocks = shape.blocks(), waves = (blocks - 1) / (std::uint64_t{each} * sms_) + 1;
    count(unknown_share_,
          fmt::format("{}, whose {} blocks of {} took {} ns: {} to an SM, in {} wave{} on {} SMs", command.label,
                      blocks, shape.threads_per_block(), command.duration(), each, waves, waves == 1 ? "" : "s", sms_));
  }
  spec.body = {spin(clock_.edge(cycles))};
  if (!program_.profiles.empty()) give_demand(command, spec);
  return std::make_shared<ProgramKernel>(std::move(spec), 0);
}

std::vector<ProgramCheck> MeasuredKernels::checks() const {
  std::vector<ProgramCheck> all;
  for (const ProgramCheck* check :
       {&short_, &unknown_share_, &clusters_, &no_demand_, &partly_, &mean_, &by_function_}) {
    if (check->count == 0) continue;
    all.push_back(*check);
    if (check == &partly_)
      all.back().meaning += fmt::format(", which are not known: {}", fmt::join(not_measured_, ", "));
  }
  return all;
}

std::optional<std::size_t> MeasuredKernels::with_demand() const {
  return program_.profiles.empty() ? std::nullopt : std::optional(with_demand_);
}

/// A block is sent every dispatch interval, or when a slot becomes free. It arrives a hop later, and so does the message of
/// its end. So block i starts at the later of one interval after block i-1 and, with P slots, two hops after the end of block
/// i-P. The last start is the longer of two paths: only intervals, or wave after wave. Both are linear in the time of a
/// block. In the first wave no block ends before its SM has fetched the launch's code and parameters; where this takes longer
/// than a block, the path that begins with the fetch is longer: one wave and then intervals, or wave after wave. The GPU's
/// overhead before the first block and after the last belongs to no path.
Cycle block_spin(Cycle duration, const Kernel& kernel, unsigned sms, const SmLimits& limits, const GpuConfig& gpu) {
  const WorkDistributorConfig& distributor = gpu.work_distributor;
  duration -= std::min<Cycle>(duration, distributor.kernel_launch_latency + distributor.kernel_completion_latency);
  const BlockDemand demand = block_demand(kernel, limits, distributor);
  const unsigned of_sm = std::max(1u, residency(demand, capacity(limits)));
  std::uint64_t places = std::uint64_t{sms} * of_sm;
  if (kernel.cluster.count() > 1) {
    const auto cluster = static_cast<unsigned>(kernel.cluster.count());
    const SmSet used = SmSet().set() >> (kMaxSms - std::min<std::size_t>(sms, kMaxSms));
    places = std::max<std::uint64_t>(cluster,
                                     resident_clusters(cluster, of_sm, gpc_sets(gpu.sms_of_gpcs()), used) * cluster);
  }
  const std::uint64_t last = kernel.blocks() - 1, waves = last / places;
  const auto sent = [&](std::uint64_t blocks) {
    return blocks * distributor.dispatch_interval / distributor.dispatch_width;
  };
  const Cycle hop = distributor.launch_latency + 1;  // a message takes one cycle
  const Cycle by_sending = sent(last), by_waves = sent(last % places) + 2 * waves * hop;
  const auto without = [&](Cycle spent) { return duration - std::min(duration, spent); };
  const Cycle exit = cycles_of_exit(kernel.warps_per_block(), gpu.sm);  // as in SMs that run blocks
  Cycle block = std::min(without(by_sending), without(by_waves) / (waves + 1));
  const auto behind_fetch = [&](std::uint64_t wave) {
    return without(gpu.sm.launch_fetch_latency + exit + 2 * wave * hop + sent(last - wave * places)) / wave;
  };
  if (waves > 0) block = std::min({block, behind_fetch(1), behind_fetch(waves)});
  return block - std::min(block, exit);
}

std::optional<MeasuredLink> measured_link(const Program& program) {
  MeasuredLink link;
  for (const MeasuredCommand& command : program.commands) {
    if (!shows_the_link(command)) continue;
    if (link.copies++ == 0) link.first = command.label;
    link.gb_per_s =
        std::max(link.gb_per_s, static_cast<double>(command.copy()->bytes) / static_cast<double>(command.duration()));
  }
  return link.copies > 0 ? std::optional(link) : std::nullopt;
}

double gb_per_s(const HostLinkConfig& link) {
  const double share_of_data =
      static_cast<double>(link.payload) / static_cast<double>(link.bytes_with_headers(link.payload));
  return link.lanes * link.lane_gbits / 8 * share_of_data;
}

std::optional<double> lane_gbits_of(const MeasuredLink& measured, const HostLinkConfig& link) {
  if (link.lanes == 0) return std::nullopt;
  const double gbits = link.lane_gbits * measured.gb_per_s / gb_per_s(link);
  if (std::abs(gbits - link.lane_gbits) <= kSame * link.lane_gbits) return std::nullopt;
  return std::round(gbits * 1000) / 1000;
}

std::optional<std::string> link_setting(const std::vector<Program>& programs, const HostLinkConfig& link) {
  std::vector<MeasuredLink> all;
  for (const Program& program : programs) {
    if (const auto measured = measured_link(program)) all.push_back(*measured);
  }
  const auto gbits = all.empty() ? std::nullopt : lane_gbits_of(all.front(), link);
  if (!gbits) return std::nullopt;
  HostLinkConfig own = link;
  own.lane_gbits = *gbits;
  const auto differs = [&](const MeasuredLink& measured) { return lane_gbits_of(measured, own).has_value(); };
  if (std::any_of(all.begin(), all.end(), differs)) return std::nullopt;
  return fmt::format("host_link.lane_gbits={}", *gbits);
}

std::optional<ProgramCheck> link_check(const Program& program, const GpuConfig& gpu,
                                       const std::vector<std::string>& settings) {
  const auto link = measured_link(program);
  const auto gbits = link ? lane_gbits_of(*link, gpu.host_link) : std::nullopt;
  if (!gbits) return std::nullopt;
  GpuConfig config = gpu;
  for (const std::string& setting : settings) set_assignment(config, setting);
  const bool taken = !lane_gbits_of(*link, config.host_link);
  return ProgramCheck{
      "host link",
      fmt::format(
          "copies of 4 MiB or more from or to pinned memory moved at up to {:.1f} GB/s, where the link of {} carries "
          "{:.1f}; {}host_link.lane_gbits={}{}",
          link->gb_per_s, gpu.name, gb_per_s(gpu.host_link),
          taken ? "the run has one of that pace, " : "of that pace is ", *gbits, taken ? " (--set goes before)" : ""),
      link->copies, link->first};
}

std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, Cycle execution, const KernelDemand& demand,
                                      const GpuConfig& gpu) {
  const WorkDistributorConfig& latencies = gpu.work_distributor;
  return asking(kernel, execution + latencies.kernel_launch_latency + latencies.kernel_completion_latency, demand, gpu);
}

std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, const KernelDemand& demand, const GpuConfig& gpu) {
  return asking(kernel, static_cast<Cycle>(std::llround(demand.duration_us.value() * gpu.core_mhz)), demand, gpu);
}

}  // namespace gputlm
