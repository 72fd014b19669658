/// Functional coverage of a kernel order's run: what traffic has to reach for the run to mean something.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class KernelOrderCoverage {
 public:
  /// The points that a design of this size can reach.
  explicit KernelOrderCoverage(const KernelOrderSize& size);
  /// A cycle, before its rising edge.
  void sample(const KernelOrderInputs& inputs, std::optional<unsigned> next, const KernelOrderReference& state);
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_order(const KernelOrderInputs& inputs, unsigned next, const KernelOrderReference& state);

  KernelOrderSize size_;
  CoveragePoints points_;
  Id all_in_flight_, none_, nothing_left_, reset_in_flight_, pending_of_none_;
  Id more_urgent_, several_levels_, first_has_higher_, first_has_lower_, ahead_has_none_;
  Id next_ends_, other_ends_, enters_beside_, most_urgent_, least_urgent_;
  std::vector<Id> next_, enters_, ends_;
};

}  // namespace gputlm
