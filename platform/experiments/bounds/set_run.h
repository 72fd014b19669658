/// Some task sets on a GPU, each alone task by task and then as it is, with what the analysis says of it: one run of a
/// sweep, so that the times of ten thousand sets stay in the processes that made them.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "platform/experiments/bounds/task_sets.h"
#include "platform/lab/runs.h"

namespace gputlm {

struct SetOutcome {
  bool by_analysis = false;    ///< every bound is no later than its deadline
  bool by_simulation = false;  ///< every job met its deadline
  std::uint64_t bounded = 0;   ///< responses of tasks with a bound
  std::uint64_t above = 0;     ///< those of them that are longer
  std::uint32_t bounds = 0;    ///< tasks with one
  double of_bounds = 0;        ///< sum over them of the longest response as a share of the bound
};

struct SetRun {
  GpuConfig config;
  TaskSetRange range;
  Sharing sharing;
  std::uint64_t seed = 1, first = 0;  ///< number of the first set
  unsigned sets = 1;
  unsigned longest_periods = 1;                              ///< that each is simulated for
  std::shared_ptr<const DurationTable> durations = nullptr;  ///< for an SM model that needs them

  using Result = std::vector<SetOutcome>;
  GpuRun gpu_run();
  Job job() const;
  static Result result(std::string_view bytes);
};

}  // namespace gputlm
