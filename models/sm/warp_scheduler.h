/// Warp order: which of the warps of a sub-core that can issue does so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/policy.h"
#include "tlm/access.h"

namespace gputlm {

/// The policy of one sub-core. Warps are named by their slot, 0 to 63; sets of warps are bit masks.
/// Decisions depend only on what the policy has been told, never on simulated time.
class WarpScheduler {
 public:
  virtual ~WarpScheduler() = default;
  /// Chooses from `candidates`, the warps whose next instruction can issue in this cycle; never empty.
  /// Changes nothing: issued() says what came of it.
  virtual unsigned pick(std::uint64_t candidates) const = 0;
  virtual void issued(unsigned slot) = 0;
  /// A warp of `kernel` has moved into a free slot, or has left it.
  virtual void assigned(unsigned slot, KernelId kernel) = 0;
  virtual void released(unsigned slot) = 0;
};

/// All policies.
const std::vector<Policy<std::unique_ptr<WarpScheduler> (*)()>>& warp_schedulers();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name);

std::unique_ptr<WarpScheduler> make_loose_round_robin();
std::unique_ptr<WarpScheduler> make_greedy_then_oldest();

}  // namespace gputlm
