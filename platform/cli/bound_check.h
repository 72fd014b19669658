/// `gputlm run --check-bounds`: checks that no response of the run exceeds its task's bound.
#pragma once

#include <memory>

#include "models/sm/blocks/table.h"
#include "platform/bounds/model.h"

namespace gputlm {

class BoundCheck {
 public:
  /// Measures jobs alone, or uses stored results. `config` and `workload` outlive the object. Throws InputError if no task
  /// can be analysed, Interrupted if the user stops it.
  BoundCheck(const GpuConfig& config, const Workload& workload, const std::shared_ptr<const DurationTable>& durations);

  /// Reports tasks without a bound, and responses above a bound or that there are none; returns whether there are none.
  bool hold_for(const RunResult& result) const;

 private:
  const GpuConfig& config_;
  const Workload& workload_;
  AloneTimes alone_;
};

}  // namespace gputlm
