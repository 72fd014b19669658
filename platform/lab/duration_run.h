/// A measurement of how long blocks take: one kernel or two, with given numbers of their blocks on every SM, on SMs that run
/// warps, until enough blocks have ended. A kernel whose grid does not fill the GPU is on as many SMs as hold it, from the
/// first on. A run of a set (run_set.h).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/config.h"
#include "models/kernel/kernel.h"
#include "platform/lab/jobs.h"

namespace gputlm {

/// The measurement of one kernel. Mean cycles exclude the fetch of the launch, and spins.
struct MeasuredBlocks {
  Cycle first = 0;  ///< mean of blocks that started before any had ended on their SM
  Cycle later = 0;  ///< mean of the others; 0: there were none
  std::uint64_t instructions = 0;
  unsigned sensitivity = 0;                          ///< as in KernelDurations
  std::vector<unsigned> spread;                      ///< as in KernelDurations
  std::uint64_t requests = 0;                        ///< requests per block to the L2
  Cycle latency_of_first = 0, latency_of_later = 0;  ///< mean latency of a request of these blocks; 0: there was none
};

struct DurationRun {
  GpuConfig config;
  std::vector<std::shared_ptr<Kernel>> kernels;  ///< one or two
  std::vector<unsigned> blocks;                  ///< number of blocks of each on an SM
  unsigned waves = 2;   ///< full waves of each kernel's blocks, the first included; one is enough for long blocks
  unsigned warm = 0;    ///< number of first waves that do not count, while caches fill
  bool one_sm = false;  ///< only the first SM is used; memory and network are complete

  using Result = std::vector<MeasuredBlocks>;
  Job job() const;
  static Result result(std::string_view bytes);
};

}  // namespace gputlm
