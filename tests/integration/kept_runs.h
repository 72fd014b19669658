/// The quick form of experiments that share runs: each run is made once.
#pragma once

#include "experiment_report.h"
#include "platform/lab/run_store.h"
#include "program.h"

namespace gputlm {

/// Keeps runs during its lifetime, for this process only.
class KeptRuns {
 public:
  KeptRuns() { options_.store = &store_; }
  const ExperimentOptions& options() const { return options_; }

 private:
  const TestFolder folder_;
  const RunStore store_{folder_.path("store")};
  ExperimentOptions options_ = quick();
};

}  // namespace gputlm
