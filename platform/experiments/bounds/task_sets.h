/// Random sets of periodic tasks, drawn by UUniFast (Bini and Buttazzo, "Measuring the Performance of Schedulability Tests",
/// Real-Time Systems 30, 2005).
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "models/config.h"
#include "models/host/workload.h"

namespace gputlm {

/// What a set is drawn from.
struct TaskSetRange {
  unsigned tasks = 1;
  unsigned utilisation_percent = 0;         ///< of all tasks together, of the time of the whole GPU
  std::pair<unsigned, unsigned> period_us;  ///< logarithmic, as is the next
  std::pair<unsigned, unsigned> block_us;   ///< of a block, but for kernels that take less
};

/// A task launches a kernel each time, whose blocks spin.
struct DrawnTask {
  Femtoseconds period = 0, block = 0;  ///< block: how long each takes
  std::uint32_t threads = 0, blocks = 0;
};

/// The `number`-th set of a seed, in the order of the periods. A kernel has as many waves of blocks as its time wants, the
/// last of which need not be full; it does not depend on where blocks go.
std::vector<DrawnTask> draw_task_set(const TaskSetRange& range, const GpuConfig& gpu, std::uint64_t seed,
                                     std::uint64_t number);

/// How the tasks of a set share a GPU.
struct Sharing {
  bool levels = false;                                ///< by period
  std::optional<unsigned> sm_percent = std::nullopt;  ///< of each
};

/// Each task is an application with a stream, and is released until `until`, `offsets` after the others.
Workload workload_of(const std::vector<DrawnTask>& set, const Sharing& sharing, Femtoseconds until,
                     const std::vector<Femtoseconds>& offsets);

/// Workloads with the same applications and streams, one after the other: each begins when that before has ended.
class Sequence {
 public:
  /// What of a workload is where.
  struct Part {
    std::uint32_t first_launch = 0, launches = 0, first_job = 0, jobs = 0;
  };
  void add(const Workload& workload);
  const Workload& workload() const { return all_; }
  const std::vector<Part>& parts() const { return parts_; }

 private:
  Workload all_;
  std::vector<Part> parts_;
  unsigned phases_ = 0;
};

}  // namespace gputlm
