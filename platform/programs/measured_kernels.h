/// Measured kernels as the model's: blocks that spin for so long that the kernel lasts as it did, alone on the SMs that it
/// could use.
#pragma once

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

}  // namespace gputlm
