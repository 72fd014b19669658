/// Predictions of runtimes (srtf, section 4), kept until the kernel ends and their error is known.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "models/work_distributor/core.h"

namespace gputlm {

/// A predicted end of a kernel on an SM, and the actual one.
struct PredictionRecord {
  Prediction made;
  std::optional<Cycle> actual;  ///< Active_Kernel_Cycles on the SM at the kernel's end; none: the run ended before it
};

class PredictionTracker {
 public:
  /// `take` receives the predictions in order: kernels in the order of their ends, then those that have not ended, in the
  /// order of their ids.
  using Take =
      std::function<void(std::uint32_t command, std::uint32_t iteration, const std::vector<PredictionRecord>&)>;
  explicit PredictionTracker(Take take) : take_(std::move(take)) {}

  void block_ended(const BlockEnded& block) {
    if (!block.prediction) return;
    OfKernel& kernel = kernels_[block.identity.kernel];
    kernel.command = block.command;
    kernel.iteration = block.iteration;
    kernel.made.push_back({*block.prediction, std::nullopt});
  }
  void kernel_ended(const KernelExecuted& ended) {
    const auto kernel = kernels_.find(ended.identity.kernel);
    if (kernel == kernels_.end()) return;
    for (PredictionRecord& record : kernel->second.made) record.actual = ended.active[record.made.sm];
    hand_over(kernel->second);
    kernels_.erase(kernel);
  }
  /// To be called when no more kernels end.
  void finish() {
    for (const auto& [id, kernel] : kernels_) hand_over(kernel);
    kernels_.clear();
  }

 private:
  struct OfKernel {
    std::uint32_t command = 0, iteration = 0;
    std::vector<PredictionRecord> made;
  };
  void hand_over(const OfKernel& kernel) const { take_(kernel.command, kernel.iteration, kernel.made); }

  Take take_;
  std::map<KernelId, OfKernel> kernels_;  ///< kernels with predictions that have not ended
};

}  // namespace gputlm
