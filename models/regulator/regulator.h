/// The memory-regulator decision: whether a request of an application with a budget may pass a place now. An application
/// has tokens, one per byte; at the start of its period they are reset to its budget.
///
/// Guarantees of every policy, proved for rtl/bandwidth_regulator.sv:
/// - Never exceeded: in any n consecutive periods, an application takes less than n budgets and one access (plus what
///   others left it, with policies that share unused budgets).
/// - Never withheld: a request passes as soon as its application's own tokens suffice.
///
/// Unused tokens lapse at the end of a period. Those of an application with a waiting request are kept: they did not
/// suffice, so they are fewer than its bytes. Otherwise, a budget that is not a multiple of an access would lose the rest
/// in every period, and one smaller than an access would never let it pass.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/policy/policy.h"
#include "tlm/base/time.h"

namespace gputlm {

inline constexpr unsigned kMaxRegulated = 64;  ///< maximum number of applications with a budget, numbered from 0

/// The parameters of a policy.
struct RegulatorSetup {
  std::vector<Bytes> budgets;  ///< budget of each number
};

class BandwidthRegulator : public PolicyObject {
 public:
  /// Wraps a policy of a plugin in a guard (models/policy/seam.h).
  static std::unique_ptr<BandwidthRegulator> guarded(std::unique_ptr<BandwidthRegulator> policy,
                                                     const PolicySeam& seam);
  /// Whether `number` has tokens for a request of `bytes` bytes.
  virtual bool fits(unsigned number, Bytes bytes) const = 0;
  /// The request has passed, after a call of fits().
  virtual void passed(unsigned number, Bytes bytes) = 0;
  /// A period begins for all in `begins`. `waiting`: those with a waiting request that does not fit.
  virtual void begin_period(std::uint64_t begins, std::uint64_t waiting) = 0;
};

/// All policies. Those with Property::kSharesBudgets give unused budgets to others and require equal periods.
ObjectDecision<BandwidthRegulator, RegulatorSetup>& bandwidth_regulators();

/// Where requests pass a regulator.
enum class RegulatorPlace : std::uint8_t {
  kSmPort,  ///< where an SM's requests enter its GPC's port: each SM of the application has an equal part of the budget
  kL2,      ///< where requests enter an L2 slice: each slice has an equal part
};
Decision<RegulatorPlace>& regulator_places();

/// Part `place` of `places` of a budget. The parts differ by at most a byte, and add up to the budget.
inline Bytes part_of_budget(Bytes budget, unsigned place, unsigned places) {
  return budget * (place + 1) / places - budget * place / places;
}

}  // namespace gputlm
