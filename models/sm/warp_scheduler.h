/// Warp order: which of the warps of a sub-core that can issue does so.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "models/policy/policy.h"
#include "models/sm/warp_view.h"

namespace gputlm {

inline constexpr unsigned kNoWarp = 64;

/// The policy of one sub-core. Warps are named by their slot, 0 to 63; sets of warps are bit masks.
/// Decisions depend only on what the policy has been told, and what it has looked up (warps_of()), never on simulated time: a cycle in which no warp can issue
/// is not told, and changes nothing.
class WarpScheduler : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<WarpScheduler> guarded(std::unique_ptr<WarpScheduler> policy, const PolicySeam& seam);
  /// Chooses from `candidates`, the warps whose next instruction can issue in this cycle; never empty. kNoWarp: none of
  /// them may. Changes nothing: issued() says what came of it.
  virtual unsigned pick(std::uint64_t candidates) const = 0;
  virtual void issued(unsigned slot) = 0;
  /// A warp has moved into a free slot, or has left it. `budget` is that of its kernel's launch.
  virtual void assigned(unsigned slot, unsigned budget) = 0;
  virtual void released(unsigned slot) = 0;
  /// The warp, which may have been told of before, waits for something that takes long: a load, the other warps of its
  /// block, a point in time; or it has exited. It is no candidate until that is over.
  virtual void blocked(unsigned /*slot*/) {}
  /// Whether the warp that has just issued can do so again in the next cycle: its operands and its pipeline are there. Told
  /// after each issue, and not virtual, as most policies do not ask.
  void goes_on(bool yes) { goes_on_ = yes; }

 protected:
  bool goes_on_ = true;
};

/// What a policy is made for.
struct WarpSchedulerSetup {
  unsigned slots = 64;         ///< of the sub-core
  PolicyOptions options = {};  ///< SmConfig::options
  /// For warps_of(): what can be seen of the sub-core's warps. Empty where there is none.
  std::function<const WarpView&()> warps = {};
};

/// For a policy that looks at the warps among which it chooses (warp_view.h); outlives the policy. Throws InputError where
/// there is no sub-core: in a figure that plays an order alone, or beside a design in hardware.
const WarpView& warps_of(const WarpSchedulerSetup& setup);

/// All policies.
ObjectDecision<WarpScheduler, WarpSchedulerSetup>& warp_schedulers();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name, const WarpSchedulerSetup& setup = {});

}  // namespace gputlm
