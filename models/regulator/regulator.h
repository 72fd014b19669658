/// The memory-regulator decision: whether a request of an application that has a budget may pass a place now. What an
/// application may take are tokens, a byte each; at the start of its period it has its budget again.
///
/// What is promised of every policy, and proved of rtl/bandwidth_regulator.sv:
/// - Never exceeded: in any number n of periods in a row, an application takes less than n budgets and one access (and what
///   others left it, by policies that give that away).
/// - Never withheld: a request passes as soon as its application's own tokens suffice.
///
/// Tokens that nobody wanted lapse at the end of a period. Those of an application with a request that waits are kept: they
/// did not suffice for it, and so are fewer than it has bytes. Without that, a budget that is no multiple of an access would
/// lose the rest in every period, and one smaller than an access would never let it pass.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "models/policy/policy.h"
#include "tlm/time.h"

namespace gputlm {

inline constexpr unsigned kMaxRegulated = 64;  ///< applications with a budget, numbered from 0 up

/// What a policy is made for.
struct RegulatorSetup {
  std::vector<Bytes> budgets;  ///< by number
};

class BandwidthRegulator : public PolicyObject {
 public:
  /// With a guard around it: for policies of plugins (models/policy/seam.h).
  static std::unique_ptr<BandwidthRegulator> guarded(std::unique_ptr<BandwidthRegulator> policy,
                                                     const PolicySeam& seam);
  /// `number` has tokens for a request of so many bytes.
  virtual bool fits(unsigned number, Bytes bytes) const = 0;
  /// It has passed, after it was asked whether it fits.
  virtual void passed(unsigned number, Bytes bytes) = 0;
  /// A period begins for all in `begins`. `waiting`: those that have a request waiting that does not fit.
  virtual void begin_period(std::uint64_t begins, std::uint64_t waiting) = 0;
};

/// All policies. Those with Property::kSharesBudgets give what one leaves to others; there all periods are the same.
ObjectDecision<BandwidthRegulator, RegulatorSetup>& bandwidth_regulators();

/// Where requests pass a regulator.
enum class RegulatorPlace : std::uint8_t {
  kSmPort,  ///< where an SM's requests enter its GPC's port: an equal part of the budget for each SM of the application
  kL2,      ///< where requests enter an L2 slice: an equal part for each slice
};
Decision<RegulatorPlace>& regulator_places();

/// Part `place` of `places` of a budget. The parts differ by a byte at most, and come to the whole.
inline Bytes part_of_budget(Bytes budget, unsigned place, unsigned places) {
  return budget * (place + 1) / places - budget * place / places;
}

}  // namespace gputlm
