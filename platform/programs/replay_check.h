/// Compares a replay with the measurement: the errors of durations and starts. If the program ran alone on the GPU that it
/// was measured on, it also says which assumption its capture violates.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platform/programs/comparison.h"
#include "platform/programs/replay.h"
#include "platform/run/result.h"

namespace gputlm {

/// Errors of kernels or of copies.
struct ReplayErrors {
  std::size_t count = 0;
  double start_median_ns = 0, start_worst_ns = 0;
  double duration_median = 0, duration_worst = 0;  ///< relative to the measured duration
  std::string worst;                               ///< label of the worst one

  template <class Visitor>
  static void describe(Visitor& v);
};

struct ReplayVerdict {
  const ReplayedProgram* program = nullptr;
  bool alone = false;     ///< nothing else ran
  bool same_gpu = false;  ///< the same number of SMs as the measured GPU
  double length_ns = 0;   ///< as measured: from the start of the first command to the end of the last one
  double model_length_ns = 0;
  std::size_t not_ended = 0;  ///< number of its commands that did not end in the run
  ReplayErrors kernels, copies;
  /// If starts are off by more than 1 % of the program's length in the median, or a kernel's duration by more than 5 %: the
  /// reason, and what to do. Empty if they are not, or if this cannot be judged.
  std::string broken;
};

/// One verdict for each program of the workload, in order.
std::vector<ReplayVerdict> replay_verdicts(const RunResult& result, const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
