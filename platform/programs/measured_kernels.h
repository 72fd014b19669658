/// Converts measured kernels to the model's: blocks that spin long enough that the kernel lasts as measured, alone on the SMs
/// that it could use.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/kernel/demand.h"
#include "models/kernel/kernel.h"
#include "models/kernel/launch.h"
#include "models/kernel/program_kernel.h"
#include "platform/programs/dependences.h"
#include "platform/programs/program.h"

namespace gputlm {

class MeasuredKernels {
 public:
  /// `gpu`: the GPU that the kernels will run on; it also supplies what the program does not say about the measured GPU.
  /// `share_sms`: number of SMs of GPU parts whose size the program does not say. Both must outlive this object.
  MeasuredKernels(const Program& program, const GpuConfig& gpu, std::optional<unsigned> share_sms);

  std::shared_ptr<ProgramKernel> make(const MeasuredCommand& command);
  /// If the kernel was confined to a share: its SMs on this GPU, the first ones.
  std::optional<SmSet> sms(const MeasuredKernel& kernel) const;
  /// The share of the SMs that the kernel could use, when all blocks that fit are resident, and when each SM has one.
  double share_of_gpu(const MeasuredKernel& kernel) const;
  double least_share_of_gpu(const MeasuredKernel& kernel) const;

  /// The assumptions made, once all kernels have been converted.
  std::vector<ProgramCheck> checks() const;
  /// Number of these kernels that have a demand; none: the program has no profile.
  std::optional<std::size_t> with_demand() const;

 private:
  void give_demand(const MeasuredCommand& command, ProgramSpec& spec);
  ProgramSpec spec_of(const MeasuredKernel& kernel) const;
  bool holds_clusters(const MeasuredKernel& kernel) const;
  std::optional<unsigned> share_size(const MeasuredKernel& kernel) const;
  unsigned sms_of(const MeasuredKernel& kernel) const { return share_size(kernel).value_or(sms_); }
  unsigned residency_of(const MeasuredKernel& kernel) const;

  const Program& program_;
  const GpuConfig& gpu_;
  std::optional<unsigned> share_sms_;
  Clock clock_;
  unsigned sms_;     ///< number of SMs of the GPU that the program was measured on
  SmLimits limits_;  ///< limits of one SM of that GPU
  ProgramCheck short_, unknown_share_, clusters_, no_demand_, partly_, mean_, by_function_;
  std::set<std::string> not_measured_;  ///< metrics that demands lack
  std::size_t with_demand_ = 0;
};

/// Core cycles for which the blocks of a kernel spin so that it lasts `duration`, alone on `sms` SMs of these limits under a
/// work distributor as in `gpu`. The duration is that of a profiler: from the start of the first block to the end of the
/// last, with the latencies of launch and completion around it. 0 if the kernel lasts longer anyway.
Cycle block_spin(Cycle duration, const Kernel& kernel, unsigned sms, const SmLimits& limits, const GpuConfig& gpu);

// The host-GPU link, inferred from a program's copies. A GPU's file states what its link can do; the machine of the
// measurement may have less (lanes and generation of the slot, a virtual machine, the host's memory).

struct MeasuredLink {
  double gb_per_s = 0;     ///< data rate of the fastest copy that nothing delayed, in 10^9 bytes per second
  std::size_t copies = 0;  ///< number of copies that were considered
  std::string first;       ///< label of the first of them
};

/// From copies of at least 4 MiB from or to pinned memory, for which the overhead before the first byte is negligible. None
/// if the program has no such copy.
std::optional<MeasuredLink> measured_link(const Program& program);

/// Data rate of the link in 10^9 bytes per second.
double gb_per_s(const HostLinkConfig& link);

/// The value of HostLinkConfig::lane_gbits at which a link of the same lanes and packets has that data rate. None if it is
/// within 20 % already, or if there is no link.
std::optional<double> lane_gbits_of(const MeasuredLink& measured, const HostLinkConfig& link);

/// The setting that gives a run the link of the machine on which the programs were measured, if they agree. None if `link` is
/// that already, or if they do not show it.
std::optional<std::string> link_setting(const std::vector<Program>& programs, const HostLinkConfig& link);

/// A check that the program was measured on another link than that of `gpu`; it says whether `settings` of the workload
/// correct this. None if the link is the same.
std::optional<ProgramCheck> link_check(const Program& program, const GpuConfig& gpu,
                                       const std::vector<std::string>& settings);

// Converts a kernel that ran on SMs that run warps into one for SMs that run blocks (docs/demands.md).

/// A kernel of the same shape and resources with `demand`. Its blocks spin, so that a launch alone on `gpu` takes `execution`
/// core cycles from its first block's start to its last block's end.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, Cycle execution, const KernelDemand& demand,
                                      const GpuConfig& gpu);
/// The same with the execution time of the launch whose demand was counted.
std::shared_ptr<Kernel> asking_kernel(const Kernel& kernel, const KernelDemand& demand, const GpuConfig& gpu);

}  // namespace gputlm
