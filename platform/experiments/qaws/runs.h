/// Kernels of qaws side by side on titan_v (section V-A): launched in streams of their own, 8 cycles after each other,
/// with as many warps of each on every SM.
#pragma once

#include <string>
#include <vector>

#include "platform/lab/experiment.h"
#include "platform/experiments/qaws/programs.h"
#include "tlm/time.h"

namespace gputlm {

struct QawsLaunch {
  std::string program;
  unsigned budget = 1;
};

struct QawsRun {
  std::vector<QawsLaunch> kernels;  ///< in the order of their launches
  std::string policy = "lrr";       ///< of the warp schedulers
  unsigned warps = kQawsWarps;      ///< of each kernel on every SM
};

struct QawsOutcome {
  /// Of each kernel, in core cycles: from its arrival at the GPU to the end of its last block. Without the host, which
  /// GPGPU-Sim does not have.
  std::vector<Cycle> response;
  /// Every SM had as many warps of each kernel, and no block had to wait for another of its kernel to end.
  bool even = false;
  double mean() const;  ///< of the responses
};

/// Carries out every run. With `quick` programs do an eighth of their work.
std::vector<QawsOutcome> run_qaws(const std::vector<QawsRun>& runs, const ExperimentOptions& options);

}  // namespace gputlm
