/// A measurement of how long blocks take: one kernel or two, with given blocks of each on every SM, on SMs that run warps,
/// for as long as it takes to see enough blocks end. A kernel whose grid does not fill the GPU is on as many SMs as
/// hold it, from the first on. A run of a set (run_set.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/config.h"
#include "models/kernel/kernel.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// Of a kernel in a measurement. Means of cycles are without what the launch's fetch and spins take.
struct MeasuredBlocks {
  Cycle first = 0;  ///< of blocks that started before one had ended on their SM
  Cycle later = 0;  ///< of the others; 0: none was seen
  std::uint64_t instructions = 0;
  unsigned sensitivity = 0;                          ///< as KernelDurations has it
  std::vector<unsigned> spread;                      ///< likewise
  std::uint64_t requests = 0;                        ///< of a block to the L2
  Cycle latency_of_first = 0, latency_of_later = 0;  ///< of a request; 0: there was none
};

struct DurationRun {
  GpuConfig config;
  std::vector<std::shared_ptr<Kernel>> kernels;  ///< one or two
  std::vector<unsigned> blocks;                  ///< of each on an SM
  unsigned waves = 2;   ///< full GPUs of blocks of each, with the first; one is enough of blocks that last long
  unsigned warm = 0;    ///< of those, from the first on, that do not count: as long as caches fill
  bool one_sm = false;  ///< the GPU is but the first SM; memory and network are whole

  using Result = std::vector<MeasuredBlocks>;
  Job job() const;
  static Result result(std::string_view bytes);
};

}  // namespace gputlm
