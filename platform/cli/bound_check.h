/// `gputlm run --check-bounds`: no response of the run is above the bound of its task.
#pragma once

#include <memory>
#include <vector>

#include "models/sm/blocks/table.h"
#include "platform/bounds/model.h"

namespace gputlm {

class BoundCheck {
 public:
  /// Measures what jobs take alone, or takes what was kept, and says which tasks have no bound. `workload` outlives it.
  /// Throws InputError if none can be analysed, Interrupted if the user stops it.
  BoundCheck(const GpuConfig& config, const Workload& workload, const std::shared_ptr<const DurationTable>& durations);

  /// Says what is above its bound, or that nothing is.
  bool hold_for(const std::vector<JobEnded>& jobs) const;

 private:
  const Workload& workload_;
  std::vector<TaskBound> bounds_;
};

}  // namespace gputlm
