/// Constrained-random traffic for a regulator of memory budgets: requests at the heads of applications' queues, and the
/// starts of their periods.
#pragma once

#include <cstdint>
#include <vector>

#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct RegulatorKnobs {
  unsigned applications = 1;   ///< that send requests, a number
  unsigned heads = 50;         ///< chance that an application without a head gets one
  unsigned bytes = 1;          ///< bytes of a request, at most, a number
  unsigned budget = 1;         ///< bytes of a budget, at most, a number; taken over at a reset
  unsigned period = 10;        ///< cycles from a start of a period to the next, on average, a number
  unsigned together = 100;     ///< of the starts: of all applications at once
  unsigned back_pressure = 0;  ///< of the requests that fit and do not pass
  unsigned resets = 5;         ///< in 10,000 cycles, a number
};

std::vector<KnobOf<RegulatorKnobs>> regulator_knobs(const RegulatorSize& size);

class RegulatorTraffic : public EndlessTraffic {
 public:
  RegulatorTraffic(const RegulatorSize& size, std::uint64_t seed, const FixedKnobs& fixed);

  /// The inputs of the next cycle, all but pass.
  RegulatorInputs next();
  /// Of those that fit, whose request passes.
  std::uint32_t passes(std::uint32_t fits);
  /// What has come of the inputs.
  void done(const RegulatorInputs& inputs);

 private:
  void new_episode();

  RegulatorSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  RegulatorKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;            ///< at the start of the episode
  RegulatorInputs budgets_;           ///< no more than these
  std::vector<std::uint32_t> heads_;  ///< bytes by application; 0: there is none
};

}  // namespace gputlm
