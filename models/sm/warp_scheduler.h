/// Warp order: which of a sub-core's ready warps issues.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "models/policy/policy.h"
#include "models/sm/warp_view.h"

namespace gputlm {

inline constexpr unsigned kNoWarp = 64;

/// The policy of one sub-core. Warps are named by their slot, 0 to 63; sets of warps are bit masks. Decisions depend only
/// on the calls below and on warps_of(), never on simulated time: the policy is not called in a cycle in which no warp can
/// issue.
class WarpScheduler : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<WarpScheduler> guarded(std::unique_ptr<WarpScheduler> policy, const PolicySeam& seam);
  /// Chooses from `candidates`, the warps whose next instruction can issue in this cycle; never empty. kNoWarp: none of
  /// them may issue. Changes no state: issued() reports the outcome.
  virtual unsigned pick(std::uint64_t candidates) const = 0;
  virtual void issued(unsigned slot) = 0;
  /// A warp has moved into a free slot, or has left it. `budget` is that of its kernel's launch.
  virtual void assigned(unsigned slot, unsigned budget) = 0;
  virtual void released(unsigned slot) = 0;
  /// The warp begins a long wait: for a load, the other warps of its block, a point in time; or it has exited. It is not a
  /// candidate until that ends. May be called repeatedly for one wait.
  virtual void blocked(unsigned /*slot*/) {}
  /// Whether the warp that has just issued can issue again in the next cycle: its operands and pipeline are ready. Called
  /// after each issue; not virtual, since most policies do not need it.
  void goes_on(bool yes) { goes_on_ = yes; }

 protected:
  bool goes_on_ = true;
};

/// The parameters of a policy.
struct WarpSchedulerSetup {
  unsigned slots = 64;         ///< slots of the sub-core
  PolicyOptions options = {};  ///< SmConfig::options
  /// For warps_of(): the view of the sub-core's warps; empty without a sub-core.
  std::function<const WarpView&()> warps = {};
};

/// A view for a policy that inspects the warps among which it chooses (warp_view.h); outlives the policy. Throws InputError
/// without a sub-core: in a figure that plays an order alone, or next to a hardware design.
const WarpView& warps_of(const WarpSchedulerSetup& setup);

/// All policies.
ObjectDecision<WarpScheduler, WarpSchedulerSetup>& warp_schedulers();
/// Makes the policy called `name`. Throws InputError if there is none.
std::unique_ptr<WarpScheduler> make_warp_scheduler(const std::string& name, const WarpSchedulerSetup& setup = {});

}  // namespace gputlm
