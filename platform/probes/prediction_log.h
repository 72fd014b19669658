/// Takes down what the runtime predictor said (srtf, section 4) until a kernel's end shows how right it was.
#pragma once

#include <fmt/format.h>

#include <map>
#include <vector>

#include "models/host/workload.h"
#include "platform/files/atomic_file.h"
#include "platform/run/result.h"

namespace gputlm {

class PredictionLog {
 public:
  /// What is given by reference must outlive the log. `csv`: gets a line a prediction; may be null. `keep`: append to
  /// `records`.
  PredictionLog(const Workload& workload, AtomicFile* csv, bool keep, std::vector<PredictionRecord>& records);

  void predicted(const Prediction& prediction);
  /// All blocks of the kernel have ended. `active`: Active_Kernel_Cycles, by SM.
  void kernel_ended(const KernelLaunch& kernel, const std::vector<Cycle>& active);
  /// The summary of a kernel that has ended; it is forgotten here.
  PredictionSummary take_summary(KernelId kernel);
  /// The run has ended; `running`: launches under way.
  void finish(const std::vector<const KernelLaunch*>& running);

 private:
  struct OnSm {
    Cycle first = 0;          ///< first prediction; 0: none
    Cycle first_of_last = 0;  ///< first one of the last slice
  };
  struct OfKernel {
    std::vector<OnSm> sms;         ///< up to the last one on which a block has ended
    std::vector<Prediction> made;  ///< all, if anybody wants them
  };
  /// `active`: null if the kernel has not ended.
  void record(const KernelLaunch& kernel, const OfKernel& predictions, const std::vector<Cycle>* active);

  const Workload& workload_;
  AtomicFile* csv_;
  bool keep_;
  std::vector<PredictionRecord>& records_;
  std::map<KernelId, OfKernel> kernels_;  ///< with blocks that have not ended
  std::map<KernelId, PredictionSummary> summaries_;
  fmt::memory_buffer buffer_;
};

}  // namespace gputlm
