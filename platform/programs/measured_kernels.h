/// Measured kernels as the model's: blocks that spin for so long that the kernel lasts as it did, alone on the SMs that it
/// could use.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/config.h"
#include "models/kernel/launch.h"
#include "models/kernel/program_kernel.h"
#include "platform/programs/dependences.h"
#include "platform/programs/program.h"

namespace gputlm {

class MeasuredKernels {
 public:
  /// `gpu`: on which they are to run; it also stands for what the program does not say of the one that it was measured on.
  /// `share_sms`: of parts of the GPU whose size the program does not say. Both must outlive it.
  MeasuredKernels(const Program& program, const GpuConfig& gpu, std::optional<unsigned> share_sms);

  std::shared_ptr<ProgramKernel> make(const MeasuredCommand& command);
  /// SMs of its share, where it was confined to one, among those of the GPU: the first ones.
  std::optional<SmSet> sms(const MeasuredKernel& kernel) const;
  /// Of all SMs that the kernel could use, while all of its blocks that fit are there; and while each SM has one.
  double share_of_gpu(const MeasuredKernel& kernel) const;
  double least_share_of_gpu(const MeasuredKernel& kernel) const;

  /// What was taken for true, once all kernels have been made.
  std::vector<ProgramCheck> checks() const;
  /// Of those, how many have a demand; none: the program has no profile.
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
  unsigned sms_;     ///< of the GPU that it was measured on
  SmLimits limits_;  ///< of one of them
  ProgramCheck short_, unknown_share_, clusters_, no_demand_, partly_, mean_, by_function_;
  std::set<std::string> not_measured_;  ///< of demands
  std::size_t with_demand_ = 0;
};

/// Core cycles for which the blocks of a kernel spin so that it lasts `duration`, alone on `sms` SMs of these limits under
/// a work distributor as in `gpu`, as a profiler sees it: from the start of its first block to the end of its last, and the
/// latencies of its launch before and of its completion after that; 0 if it lasts longer anyway.
Cycle block_spin(Cycle duration, const Kernel& kernel, unsigned sms, const SmLimits& limits, const GpuConfig& gpu);

// The link between host and GPU as a program's copies show it: a GPU's file says what its link can do, not what the machine
// on which a program was measured has (lanes and generation of the slot, a virtual machine, the host's memory).

struct MeasuredLink {
  double gb_per_s = 0;     ///< 10^9 bytes of data a second, of the fastest copy, which nothing held up
  std::size_t copies = 0;  ///< that it was the fastest of
  std::string first;       ///< label of the first of these
};

/// By copies from or to pinned memory, each of 4 MiB or more, so that what comes before a copy's first byte is nothing
/// beside it. None: the program has none.
std::optional<MeasuredLink> measured_link(const Program& program);

/// 10^9 bytes of data a second that the link carries.
double gb_per_s(const HostLinkConfig& link);

/// What HostLinkConfig::lane_gbits must be for a link of the same lanes and packets to carry data at that pace. None: it
/// does within 20 %, or there is no link.
std::optional<double> lane_gbits_of(const MeasuredLink& measured, const HostLinkConfig& link);

/// The setting by which a run has the link of the machine that the programs were measured on, where they agree on it. None:
/// `link` is that, or they have not shown any.
std::optional<std::string> link_setting(const std::vector<Program>& programs, const HostLinkConfig& link);

/// Says that the program was measured on another link than that of `gpu`, and whether `settings`, of the workload, give it
/// its own. None: it was not.
std::optional<ProgramCheck> link_check(const Program& program, const GpuConfig& gpu,
                                       const std::vector<std::string>& settings);

}  // namespace gputlm
