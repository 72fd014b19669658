/// A replay held against what was measured: how far durations and starts are off, and, where the program ran alone on the
/// GPU that it was measured on, which assumption its capture breaks.
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
  double duration_median = 0, duration_worst = 0;  ///< as shares of what was measured
  std::string worst;                               ///< label of that

  template <class Visitor>
  static void describe(Visitor& v);
};

struct ReplayVerdict {
  const ReplayedProgram* program = nullptr;
  bool alone = false;     ///< nothing else ran
  bool same_gpu = false;  ///< as many SMs as the one that it was measured on
  double length_ns = 0;   ///< from its first command's start to its last one's end, as measured
  double model_length_ns = 0;
  std::size_t not_ended = 0;  ///< commands of it that the run has not ended
  ReplayErrors kernels, copies;
  /// Starts are off by more than 1 % of the program's length in the median, or a kernel lasts more than 5 % longer or
  /// shorter than measured; why, and what to do. Empty: they are not, or it is not to be judged.
  std::string broken;
};

/// One for each program of the workload, in their order.
std::vector<ReplayVerdict> replay_verdicts(const RunResult& result, const GpuConfig& config, const Workload& workload);

}  // namespace gputlm
