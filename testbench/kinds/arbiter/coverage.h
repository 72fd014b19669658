/// Functional coverage of an arbiter's run: what traffic has to reach for the run to mean something.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "testbench/kinds/arbiter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

/// What a policy does, as far as points depend on it.
struct ArbiterTraits {
  bool hits_first = false;   ///< row hits go before older requests
  bool round_robin = false;  ///< the applications take turns
};

class ArbiterCoverage {
 public:
  /// The points that a design of this size can reach: none of several applications where there is only one, and so on.
  ArbiterCoverage(const ArbiterSize& size, const ArbiterTraits& policy);

  /// A cycle, before its rising edge. `granted_position`: that of the grant in the design's queue.
  void sample(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state,
              unsigned granted_position);

  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;

  void sample_request(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state);
  void sample_row_command(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state);
  void sample_grant(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state);
  void sample_turn(const ArbiterExpected& expected, const ArbiterReference::Bank& bank, bool taken);
  void sample_cap(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state,
                  bool taken);
  void sample_reset(const ArbiterInputs& inputs, const ArbiterExpected& expected, const ArbiterReference& state);

  ArbiterSize size_;
  CoveragePoints points_;

  Id enters_empty_, fills_, refused_, refused_while_one_leaves_, drains_;
  Id nothing_asked_, asked_bank_empty_, held_back_, revised_by_arrival_, revised_by_row_, back_to_back_;
  Id hit_over_older_, oldest_of_hits_, oldest_bank_closed_, oldest_other_row_, hit_of_another_application_;
  Id activate_closed_, activate_over_open_, activate_same_, precharge_open_, precharge_closed_;
  Id makes_hits_, takes_hits_, enters_as_activated_, enters_as_missed_, enters_as_precharged_;
  Id activate_with_grant_, precharge_with_grant_, all_at_once_, all_at_one_bank_;
  Id turn_over_older_, turn_skips_, turn_wraps_, turn_alone_, first_turn_;
  Id hits_up_to_cap_, capped_, capped_without_hit_, cap_ends_by_activate_, activate_with_counted_grant_, saturated_;
  Id uncapped_;
  Id reset_with_requests_, reset_full_, reset_with_everything_;
  std::vector<Id> banks_, applications_, ids_, positions_, row_bits_set_, turns_;  ///< turns_: from * applications + to

  /// The last grant that was not taken, while it can be revised.
  struct Held {
    std::uint32_t bank;
    std::uint64_t age;
    bool arrival, row;  ///< has come to the bank since
  };
  std::optional<Held> held_;
  bool taken_before_ = false;
};

}  // namespace gputlm
