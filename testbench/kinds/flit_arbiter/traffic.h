/// Constrained-random traffic for a flit arbiter: packets at the heads of a switch's inputs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct FlitArbiterKnobs {
  unsigned inputs = 2;         ///< that send packets, a number
  unsigned applications = 1;   ///< whose packets they are, a number
  unsigned heads = 50;         ///< chance that an input without a head gets one
  unsigned mixed = 50;         ///< packets of another application than the input's own
  unsigned longest = 1;        ///< flits of a packet, a number
  unsigned oldest = 0;         ///< packets that come with the largest age
  unsigned back_pressure = 0;  ///< of the grants that could be taken and are not
  unsigned weight = 1;         ///< of an application, at most, a number; taken over at a reset
  unsigned resets = 5;         ///< in 10,000 cycles, a number
};

std::vector<KnobOf<FlitArbiterKnobs>> flit_arbiter_knobs(const FlitArbiterSize& size);

class FlitArbiterTraffic : public EndlessTraffic {
 public:
  FlitArbiterTraffic(const FlitArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed);

  /// The inputs of the next cycle, all but grant_ready.
  FlitArbiterInputs next();
  bool takes(std::optional<unsigned> granted);
  /// What has come of the inputs.
  void done(const FlitArbiterInputs& inputs, std::optional<unsigned> granted);

 private:
  struct Head {
    unsigned application = 0, flits = 0, age = 0;  ///< flits 0: there is none
  };
  void new_episode();
  Head new_head(unsigned input);

  FlitArbiterSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  FlitArbiterKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  bool reset_due_ = false;  ///< at the start of the episode
  std::uint64_t weight_ = 0;
  std::vector<Head> heads_;  ///< by input
};

}  // namespace gputlm
