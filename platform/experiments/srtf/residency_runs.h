/// Durations of blocks of an ERCBench kernel on gtx480, by how many of them an SM holds and what runs beside them
/// (srtf, sections 3.4.3 and 3.4.4).
#pragma once

#include <utility>

#include "platform/experiments/srtf/ercbench.h"
#include "platform/lab/experiment.h"
#include "platform/lab/sweep.h"

namespace gputlm {

/// Kernels are indices into ercbench(). Co-runners have more blocks than start before the kernel has ended.
struct ResidencyRun {
  std::size_t kernel = 0;
  unsigned residency = 1;  ///< blocks on each SM
  std::size_t co_runner = 0;
  unsigned co_residency = 0;  ///< 0: alone
};

struct ResidencyOutcome {
  double mean_t = 0;  ///< mean duration of a block of the kernel, in cycles
  Cycle runtime = 0;  ///< of the kernel
  bool held = false;  ///< no SM held more or, at its fullest, less than the run says, of either kernel
};

/// Residency is limited as the paper does it, by more shared memory a block. Alone, a kernel has four times as many
/// blocks as the GPU holds at most, whatever the residency; beside others three times as many as it holds then; with
/// `quick` twice as many. Blocks of SHA1, which last millions of cycles, hash 5 (beside others 15) of their 76 times 64
/// bytes.
class ResidencyRuns {
 public:
  explicit ResidencyRuns(ExperimentOptions options) : options_(std::move(options)) {}
  void add(const ResidencyRun& run);
  /// Carries out what has been added.
  void run() { sweep_.run(options_.jobs()); }
  /// Throws std::runtime_error if a co-runner ran out of blocks too soon.
  ResidencyOutcome operator[](const ResidencyRun& run) const;

 private:
  ExperimentOptions options_;
  Sweep<ResidencyRun> sweep_;
};

}  // namespace gputlm
