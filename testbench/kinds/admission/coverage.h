/// Functional coverage of an admission's run: what traffic has to reach for the run to mean something.
#pragma once

#include <optional>
#include <vector>

#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class AdmissionCoverage {
 public:
  /// The points that a design of this size can reach.
  explicit AdmissionCoverage(const AdmissionSize& size);
  /// A cycle, before its rising edge.
  void sample(const AdmissionInputs& inputs, std::optional<unsigned> admitted, const AdmissionReference& state);
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_entry(const AdmissionInputs& inputs, unsigned admitted, const AdmissionReference& state);

  AdmissionSize size_;
  CoveragePoints points_;
  Id fills_, all_wait_, held_back_, passes_one_that_waits_, alone_again_, own_although_shared_gone_, one_too_many_;
  Id own_only_, own_and_shared_, shared_only_, own_leaves_, shared_leaves_;
  Id own_leaves_as_it_enters_, shared_leaves_as_it_enters_, other_leaves_as_it_enters_;
  Id reset_with_bursts_, nothing_reserved_, all_reserved_;
  std::vector<Id> lengths_, turns_;  ///< turns_: from * applications + to
};

}  // namespace gputlm
