/// Functional coverage of a regulator's run: what traffic has to reach for the run to mean something.
#pragma once

#include <string>
#include <vector>

#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class RegulatorCoverage {
 public:
  /// The points that a design of this size can reach. Of a policy that is not of the tree: those that all have.
  RegulatorCoverage(const RegulatorSize& size, const std::string& policy);
  /// A cycle, before its rising edge.
  void sample(const RegulatorInputs& inputs, std::uint32_t fits, const RegulatorReference& state);
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_pass(unsigned application, Bytes bytes, Bytes budget);
  void begin(const RegulatorInputs& inputs, std::uint32_t fits, const RegulatorReference& state);

  RegulatorSize size_;
  CoveragePoints points_;
  Id all_fit_, none_waits_, held_back_, held_back_at_begin_, passes_at_begin_, waits_at_begin_, lapse_, all_begin_;
  Id some_begin_, several_periods_, reset_with_requests_, other_passes_;
  Id borrows_, borrows_all_, from_others_alone_, own_after_lending_;
  std::vector<Id> passes_, waits_, last_token_, length_;

  // Tokens, as the rule has them.
  std::vector<Bytes> own_;
  std::vector<bool> lent_;  ///< some of the last period's
  Bytes pool_ = 0;
};

}  // namespace gputlm
