/// Functional coverage of an admission: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/admission/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class AdmissionCoverage {
 public:
  /// Adds the points that a design of this size can reach.
  AdmissionCoverage(const AdmissionSize& size, const std::string&) : size_(size) {
    const bool shared = size.has_shared, several_bursts = size.length_bits > 1;
    fills_ = points_.add(true, "an access takes the last entry that its application may have");
    all_wait_ = points_.add(true, "accesses of all applications wait, none fits");
    held_back_ = points_.add(true, "an admission is not taken");
    passes_one_that_waits_ = points_.add(true, "the next application in turn does not fit, another one enters");
    alone_again_ = points_.add(true, "an application enters twice, others wait and do not fit");
    own_although_shared_gone_ = points_.add(shared, "an access fits its own entries, the shared ones are all taken");
    one_too_many_ = points_.add(several_bursts, "an access waits for one entry more");
    own_only_ = points_.add(true, "an access takes of its own entries alone");
    own_and_shared_ = points_.add(shared && several_bursts, "an access takes the rest of its own, and shared ones");
    shared_only_ = points_.add(shared, "an access takes shared entries alone");
    own_leaves_ = points_.add(true, "a burst leaves an entry of its own");
    shared_leaves_ = points_.add(shared, "a burst leaves a shared entry");
    own_leaves_as_it_enters_ = points_.add(true, "a burst leaves an own entry as its application enters");
    shared_leaves_as_it_enters_ = points_.add(shared, "a burst leaves a shared entry as its application enters");
    other_leaves_as_it_enters_ = points_.add(true, "a burst leaves as another application enters");
    reset_with_bursts_ = points_.add(true, "reset with bursts in the queue");
    nothing_reserved_ = points_.add(shared, "an admission where nothing is reserved");
    all_reserved_ = points_.add(true, "an admission where nothing is shared");
    for (unsigned length = 0; length < 1u << size.length_bits; ++length) {
      lengths_.push_back(points_.add(length > 0, "an access of bursts: " + std::to_string(length)));
    }
    for (unsigned from = 0; from < size.applications; ++from) {
      for (unsigned to = 0; to < size.applications; ++to) {
        turns_.push_back(
            points_.add(true, "a turn from application " + std::to_string(from) + " to " + std::to_string(to)));
      }
    }
  }
  /// Samples a cycle before its rising edge.
  void sample(const AdmissionInputs& inputs, std::optional<unsigned> admitted, const AdmissionOutputs&,
              const AdmissionReference& state) {
    unsigned in_queue = 0;
    for (unsigned a = 0; a < size_.applications; ++a) in_queue += state.used(a);
    if (!inputs.rst_n) {
      points_.hit(reset_with_bursts_, in_queue > 0);
      return;
    }
    points_.hit(all_wait_, inputs.head_valid == (1u << size_.applications) - 1 && !admitted);
    for (unsigned a = 0; a < size_.applications; ++a) {
      const unsigned length = state.length(inputs, a);
      points_.hit(one_too_many_,
                  (inputs.head_valid >> a & 1) && length > 1 && !state.fits(a, length) && state.fits(a, length - 1));
    }
    if (inputs.leave_valid) {
      const bool shared = state.beyond(inputs.leave_app) > 0;
      const bool enters = admitted && inputs.admit_ready, same = enters && *admitted == inputs.leave_app;
      points_.hit(own_leaves_, !shared);
      points_.hit(shared_leaves_, shared);
      points_.hit(own_leaves_as_it_enters_, same && !shared);
      points_.hit(shared_leaves_as_it_enters_, same && shared);
      points_.hit(other_leaves_as_it_enters_, enters && !same);
    }
    if (!admitted) return;
    points_.hit(held_back_, !inputs.admit_ready);
    if (inputs.admit_ready) sample_entry(inputs, *admitted, state);
  }
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_entry(const AdmissionInputs& inputs, unsigned admitted, const AdmissionReference& state) {
    const unsigned length = state.length(inputs, admitted), own = state.own_left(admitted);
    points_.hit(fills_, length == own + state.shared_left());
    points_.hit(own_only_, length <= own);
    points_.hit(own_and_shared_, own > 0 && length > own);
    points_.hit(shared_only_, own == 0);
    points_.hit(own_although_shared_gone_, length <= own && state.shared() > 0 && state.shared_left() == 0);
    points_.hit(nothing_reserved_, state.reserved() == 0);
    points_.hit(all_reserved_, state.shared() == 0);
    points_.hit(lengths_[length]);
    points_.hit(turns_[state.last() * size_.applications + admitted]);
    bool waits = false;  // whether an application waits whose turn would have come before
    for (unsigned a = (state.last() + 1) % size_.applications; a != admitted; a = (a + 1) % size_.applications) {
      waits |= inputs.head_valid >> a & 1;
    }
    points_.hit(passes_one_that_waits_, waits);
    points_.hit(alone_again_, state.last() == admitted && waits);
  }

  AdmissionSize size_;
  CoveragePoints points_;
  Id fills_, all_wait_, held_back_, passes_one_that_waits_, alone_again_, own_although_shared_gone_, one_too_many_;
  Id own_only_, own_and_shared_, shared_only_, own_leaves_, shared_leaves_;
  Id own_leaves_as_it_enters_, shared_leaves_as_it_enters_, other_leaves_as_it_enters_;
  Id reset_with_bursts_, nothing_reserved_, all_reserved_;
  std::vector<Id> lengths_, turns_;  ///< turns_[from * applications + to]
};

}  // namespace gputlm
