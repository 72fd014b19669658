/// Kernels of qaws side by side on titan_v (section V-A): launched in streams of their own, 8 cycles after each other,
/// with as many warps of each on every SM.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "platform/experiments/qaws/programs.h"
#include "platform/lab/experiment.h"
#include "platform/lab/sweep.h"
#include "tlm/time.h"

namespace gputlm {

struct QawsLaunch {
  std::string program;
  unsigned budget = 1;
};

struct QawsRun {
  std::vector<QawsLaunch> kernels;  ///< in the order of their launches
  std::string policy = "lrr";       ///< of the warp schedulers
  QawsReading reading = {};         ///< of each kernel
};

struct QawsOutcome {
  /// Of each kernel, in core cycles: from its arrival at the GPU to the end of its last block. Without the host, which
  /// GPGPU-Sim does not have.
  std::vector<Cycle> response;
  /// Every SM had as many warps of each kernel, and no block had to wait for another of its kernel to end.
  bool even = false;
  double waits_for_memory = 0;  ///< share of the cycles of all warps, from their starts to their ends
  double mean() const;          ///< of the responses
};

/// With `quick` programs do a quarter of their work.
class QawsRuns {
 public:
  explicit QawsRuns(ExperimentOptions options) : options_(std::move(options)) {}
  /// A run that has been added before is the same one.
  void add(const QawsRun& run);
  /// Carries out what has been added.
  void run() { sweep_.run(options_.jobs()); }
  QawsOutcome operator[](const QawsRun& run) const;

 private:
  ExperimentOptions options_;
  Sweep<QawsRun> sweep_;
};

}  // namespace gputlm
