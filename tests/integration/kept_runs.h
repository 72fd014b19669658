/// The quick form of experiments that share runs: each is made once.
#pragma once

#include "experiment_report.h"
#include "platform/lab/run_store.h"
#include "program.h"

namespace gputlm {

/// Runs are kept for as long as this is there, and for nobody else.
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
