/// Functional coverage of a flit arbiter's run: what traffic has to reach for the run to mean something.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class FlitArbiterCoverage {
 public:
  /// The points that a design of this size can reach. Of a policy that is not of the tree: those that all have.
  FlitArbiterCoverage(const FlitArbiterSize& size, const std::string& policy);
  /// A cycle, before its rising edge.
  void sample(const FlitArbiterInputs& inputs, std::optional<unsigned> granted, const FlitArbiterReference& state);
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_ages(const FlitArbiterInputs& inputs, unsigned granted, const FlitArbiterReference& state);
  void sample_weights(const FlitArbiterInputs& inputs, unsigned granted, const FlitArbiterReference& state);

  FlitArbiterSize size_;
  InputSet all_;
  CoveragePoints points_;
  Id all_wait_, none_waits_, held_back_, alone_again_, passes_others_, reset_with_packets_;
  Id as_old_, oldest_not_next_, largest_age_, no_age_;
  Id goes_on_, exact_, exceeded_, given_up_, again_, several_inputs_;
  std::vector<Id> granted_, longest_, applications_, turns_;  ///< turns_: from * applications + to

  // What was served last.
  unsigned last_ = 0, turn_ = 0, had_ = 0;
  bool over_ = true;
};

}  // namespace gputlm
