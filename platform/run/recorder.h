/// Takes down what ends in a run, as it ends.
#pragma once

#include <map>
#include <vector>

#include "models/host/host.h"
#include "models/work_distributor/work_distributor.h"
#include "platform/probes/merged.h"
#include "platform/probes/prediction_tracker.h"
#include "platform/run/result.h"

namespace gputlm {

class Recorder {
 public:
  /// What a run keeps beside its kernels and applications.
  struct Keep {
    bool blocks = false;       ///< fill RunResult::blocks
    bool predictions = false;  ///< fill RunResult::predictions
  };
  /// Watches the units, before the run. What is given by reference must outlive the recorder.
  Recorder(Host& host, const std::vector<WorkDistributor*>& distributors, const Workload& workload, const Keep& keep,
           RunResult& result);
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// To be called when nothing will end any more: puts the kernels in order, and fills in what was under way and the
  /// applications.
  void finish();

 private:
  /// What is said of one kernel on one SM.
  struct OnSm {
    Cycle first = 0;          ///< first prediction; 0: none
    Cycle first_of_last = 0;  ///< first one of the last slice
  };

  void predicted(const Prediction& prediction);
  void kernel_executed(const KernelExecuted& kernel);
  void kernel_ended(const KernelEnded& ended);
  void copy_ended(const CopyEnded& ended);

  const Host& host_;
  const std::vector<WorkDistributor*> distributors_;
  const Workload& workload_;
  RunResult& result_;
  std::map<KernelId, std::vector<OnSm>> predicted_;  ///< by SM, up to the last one on which a block has ended
  std::map<KernelId, PredictionSummary> summaries_;  ///< of kernels of whose ends the host has not heard
  PredictionTracker tracker_;
  Merged<BlockEnded> blocks_;
  Merged<KernelExecuted> predicted_kernels_;
  Merged<SliceEnded> slices_;
};

}  // namespace gputlm
