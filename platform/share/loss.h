/// Where the time went that a program lost to those beside it.
///
/// What a job took, or a time that the program ran through, is divided into what decided it (path.h), together and alone; the
/// differences are the parts of what was lost, and add up to it:
///
///   turn of others   a kernel was at the GPU while its context was off the execution engine
///   places           a kernel had to wait for its first block, or had fewer blocks at a time than alone
///   issue and pipes, memory, slower blocks; L1, SM's port, lines of the L2, L2, DRAM
///                    its blocks lasted longer (block_causes())
///   copy engine      a copy waited for an engine
///   copying          it was moved more slowly
///   earlier work     the job waited for kernels and copies of an earlier one, while these were served; what they waited for
///                    counts above
///   host             all else: host threads, launches on their way, what the way through the commands does not tell
///
/// What shrank as the way leads elsewhere than alone (a wait for the GPU instead of a host that was late) is taken from what
/// grew, in proportion: no part has another sign than what was lost.
///
/// Whose work it was: that of programs which were on the SMs, on the engine, or moved copies, in the cycles of the part, by how
/// many of them they were there; nobody's where none was.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/sm/blocks/contention_end.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// Mean over the jobs, core cycles. Negative: they were shorter than alone.
struct LossPart {
  std::string cause;
  std::string whose;  ///< a program; empty: nobody's
  double cycles = 0;
};

/// What a program has lost under a way.
struct ProgramLoss {
  std::string way, program;
  double core_mhz = 0;
  double cycles = 0;  ///< mean of its jobs together, less that alone
  std::vector<LossPart> parts;
  double of(const std::string& cause) const;
};

/// Takes the parts that have another sign than all of it from the others, in proportion; none is left if they come to
/// nothing together.
void settle(ProgramLoss& loss);

/// Those that there are, in their order.
std::vector<std::string> loss_causes(const std::vector<ProgramLoss>& losses);

/// Of all programs under all ways. To be called after ShareStudy::run().
std::vector<ProgramLoss> share_losses(const ShareStudy& study);

/// Why blocks of a program lasted longer than alone: shares, by cause, that add up to 1. SMs that run warps count why each
/// warp did not issue; where that has not grown, all of it is "slower blocks".
std::vector<std::pair<std::string, double>> block_causes(const BlockCounters& together, const BlockCounters& alone);
/// Likewise of blocks with demands, which say it themselves (docs/blocks.md): issue and pipes, L1, SM's port, lines of the L2,
/// L2 (its rate, and the network's), DRAM.
std::vector<std::pair<std::string, double>> block_causes(const LostTime& lost);

}  // namespace gputlm
