/// `gputlm run --check-bounds`: no response of the run is above the bound of its task.
#pragma once

#include <memory>

#include "models/sm/blocks/table.h"
#include "platform/bounds/model.h"

namespace gputlm {

class BoundCheck {
 public:
  /// Measures what jobs take alone, or takes what was kept. `config` and `workload` outlive it. Throws InputError if no
  /// task can be analysed, Interrupted if the user stops it.
  BoundCheck(const GpuConfig& config, const Workload& workload, const std::shared_ptr<const DurationTable>& durations);

  /// Says which tasks have no bound, and what is above its bound, or that nothing is.
  bool hold_for(const RunResult& result) const;

 private:
  const GpuConfig& config_;
  const Workload& workload_;
  AloneTimes alone_;
};

}  // namespace gputlm
