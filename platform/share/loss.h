/// Attributes the time that a program lost to those beside it.
///
/// The time of a job, or of one pass of the program, is divided by what determined it (path.h), together and alone. The
/// differences are the parts of the loss and add up to it:
///
///   turn of others   a kernel was at the GPU while its context was off the execution engine
///   places           a kernel had to wait for its first block, or had fewer blocks at a time than alone
///   issue and pipes, memory, slower blocks; L1, SM's port, lines of the L2, L2, DRAM
///                    its blocks lasted longer (block_causes())
///   copy engine      a copy waited for an engine
///   copying          it was moved more slowly
///   earlier work     the job waited for kernels and copies of an earlier job while these were served; their own waits count
///                    above
///   host             the rest: host threads, launches in transit, time that the path does not explain
///
/// Where a part shrank because the path differs from alone (a wait for the GPU instead of a late host), the reduction is
/// subtracted from the parts that grew, in proportion: no part has a sign other than that of the loss.
///
/// A part is attributed to the programs that were on the SMs, on the engine, or moved copies in its cycles, in proportion to
/// their presence; to nobody if there were none.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/sm/blocks/contention_end.h"
#include "platform/share/outcome.h"

namespace gputlm {

/// Mean over the jobs, core cycles. Negative: shorter than alone.
struct LossPart {
  std::string cause;
  std::string whose;  ///< name of the program that caused it; empty: nobody
  double cycles = 0;
};

/// The loss of a program under a way.
struct ProgramLoss {
  std::string way, program;
  double core_mhz = 0;
  double cycles = 0;  ///< mean over its jobs, together minus alone
  std::vector<LossPart> parts;
  double of(const std::string& cause) const;
};

/// Subtracts the parts whose sign differs from that of the total from the others, in proportion; none is left if the total is
/// 0.
void settle(ProgramLoss& loss);

/// The causes that occur, in order.
std::vector<std::string> loss_causes(const std::vector<ProgramLoss>& losses);

/// Losses of all programs under all ways. Call it after ShareStudy::run().
std::vector<ProgramLoss> share_losses(const ShareStudy& study);

/// Why a program's blocks lasted longer than alone: shares by cause, which add up to 1. SMs that run warps count the reasons
/// why warps did not issue; if none has grown, everything is "slower blocks".
std::vector<std::pair<std::string, double>> block_causes(const BlockCounters& together, const BlockCounters& alone);
/// The same for blocks with demands, which record it themselves (docs/blocks.md): issue and pipes, L1, SM's port, lines of
/// the L2, L2 (its rate and the network's), DRAM.
std::vector<std::pair<std::string, double>> block_causes(const LostTime& lost);

}  // namespace gputlm
