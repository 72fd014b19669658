/// Constrained-random traffic for an arbiter: what a controller could do, and what none would do but the ports allow.
#pragma once

#include <cstdint>
#include <vector>

#include "models/dram/rtl_arbiter.h"
#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/knobs.h"
#include "testbench/lockstep/played.h"
#include "testbench/lockstep/random_numbers.h"

namespace gputlm {

/// Per cent, unless it says otherwise.
struct ArbiterKnobs {
  unsigned applications = 1;    ///< that send requests, a number
  unsigned banks = 1;           ///< that requests go to, a number
  unsigned rows = 4;            ///< of each bank that requests go to, a number
  unsigned hit_ratio = 50;      ///< of the requests that go to the row their bank has open
  unsigned burstiness = 50;     ///< chance that the next request comes from the same application to the same bank
  unsigned fill = 50;           ///< of the cycles with a request offered
  unsigned asks = 90;           ///< of the cycles with a decision asked for
  unsigned back_pressure = 10;  ///< of the grants that could be taken and are not
  unsigned misses_taken = 0;    ///< of the grants without a row hit that are taken nevertheless
  unsigned row_commands = 50;   ///< of the cycles with a row command, if one is due
  unsigned stray_rows = 5;      ///< of the cycles with a row command that nobody asked for
  unsigned resets = 5;          ///< in 10,000 cycles, a number
  unsigned hit_cap = 0;         ///< a number; taken over at a reset
};

std::vector<KnobOf<ArbiterKnobs>> arbiter_knobs(const ArbiterSize& size);

class ArbiterTraffic : public EndlessTraffic {
 public:
  ArbiterTraffic(const ArbiterSize& size, std::uint64_t seed, const FixedKnobs& fixed);

  /// The inputs of the next cycle, given what the arbiter holds; all but grant_ready.
  ArbiterInputs next(const ArbiterReference& state);
  /// Whether the controller takes the grant.
  bool takes(const ArbiterExpected& grant);
  /// What has come of the inputs.
  void done(const ArbiterInputs& inputs, const ArbiterExpected& expected);

 private:
  void new_episode();
  void long_streak();
  void new_offer(const ArbiterReference& state);
  std::uint32_t busy_bank();
  std::uint32_t row_number(std::uint32_t index) const;
  void row_command(const ArbiterReference& state, ArbiterInputs& inputs);

  ArbiterSize size_;
  FixedKnobs fixed_;
  RandomNumbers random_;
  ArbiterKnobs knobs_;
  std::uint64_t episode_left_ = 0;
  std::uint64_t rows_key_ = 0;
  std::uint32_t first_bank_ = 0;
  bool reset_due_ = false;  ///< at the start of the episode
  std::vector<std::uint32_t> free_ids_;
  std::size_t offered_id_ = 0;  ///< index into free_ids_
  ArbiterInputs offer_;         ///< the request that waits to be accepted
  bool offering_ = false;
  bool wish_ = false;  ///< the last grant found its row closed: its row command is due
  std::uint32_t wish_bank_ = 0, wish_row_ = 0;
};

}  // namespace gputlm
