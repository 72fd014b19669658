/// Functional coverage of a flit arbiter: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/flit_arbiter/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class FlitArbiterCoverage {
 public:
  /// Adds the points that a design of this size can reach. For a policy outside the tree: those common to all.
  FlitArbiterCoverage(const FlitArbiterSize& size, const std::string& policy)
      : size_(size), all_(first_bits<kInputWords>(size.inputs)) {
    const std::string_view decides_as = options_owner(policy);
    const bool ages = decides_as == "oldest", weights = decides_as == "weighted";
    const bool several = size.applications > 1, long_ones = size.length_bits > 1, heavy = size.weight_bits > 1;
    all_wait_ = points_.add(true, "all inputs have a packet");
    none_waits_ = points_.add(true, "no input has a packet");
    held_back_ = points_.add(true, "a grant is not taken");
    alone_again_ = points_.add(true, "an input is served again, no other has a packet");
    passes_others_ = points_.add(true, "the turn goes around, to an input of a lower number");
    reset_with_packets_ = points_.add(true, "reset while packets wait");
    granted_ = points_.add_each(true, "a packet leaves of input", size.inputs);
    longest_ = points_.add_each(true, "a packet of the fewest or most flits leaves:", 2);
    as_old_ = points_.add(ages, "several packets are the oldest");
    oldest_not_next_ = points_.add(ages, "the oldest goes before the next one in turn");
    largest_age_ = points_.add(ages, "a packet of the largest age leaves");
    no_age_ = points_.add(ages, "a packet of age 0 leaves");
    goes_on_ = points_.add(weights && heavy, "a turn goes on");
    exact_ = points_.add(weights, "a turn is over with its last flit");
    exceeded_ = points_.add(weights && long_ones, "a packet is longer than what was left of the turn");
    given_up_ = points_.add(weights && heavy && several, "a turn is given up");
    again_ = points_.add(weights, "an application has another turn, no other has a packet");
    several_inputs_ = points_.add(weights, "several inputs have packets of the application whose turn it is");
    applications_ = points_.add_each(weights, "a packet leaves of application", size.applications);
    for (unsigned from = 0; from < size.applications; ++from) {
      for (unsigned to = 0; to < size.applications; ++to) {
        turns_.push_back(points_.add(weights && from != to,
                                     "a turn from application " + std::to_string(from) + " to " + std::to_string(to)));
      }
    }
  }
  /// Samples a cycle before its rising edge.
  void sample(const FlitArbiterInputs& inputs, std::optional<unsigned> granted, const FlitArbiterOutputs&,
              const FlitArbiterReference& state) {
    if (!inputs.rst_n) {
      points_.hit(reset_with_packets_, inputs.head_valid != InputSet{});
      last_ = size_.inputs - 1;
      turn_ = size_.applications - 1;
      over_ = true;
      return;
    }
    points_.hit(all_wait_, inputs.head_valid == all_);
    points_.hit(none_waits_, inputs.head_valid == InputSet{});
    if (!granted) return;
    points_.hit(held_back_, !inputs.grant_ready);
    if (!inputs.grant_ready) return;
    const unsigned flits = state.flits(inputs, *granted);
    points_.hit(alone_again_, *granted == last_ && inputs.head_valid == one_bit<kInputWords>(last_));
    points_.hit(passes_others_, *granted < last_);
    points_.hit(granted_[*granted]);
    points_.hit(longest_[0], flits == 1);
    points_.hit(longest_[1], flits == largest_of(size_.length_bits));
    sample_ages(inputs, *granted, state);
    sample_weights(inputs, *granted, state);
    last_ = *granted;
  }
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_ages(const FlitArbiterInputs& inputs, unsigned granted, const FlitArbiterReference& state) {
    const unsigned age = state.age(inputs, granted);
    unsigned as_old = 0;
    for (unsigned i = 0; i < size_.inputs; ++i) as_old += has_bit(inputs.head_valid, i) && state.age(inputs, i) == age;
    unsigned next = (last_ + 1) % size_.inputs;
    while (!has_bit(inputs.head_valid, next)) next = (next + 1) % size_.inputs;
    points_.hit(as_old_, as_old > 1);
    points_.hit(oldest_not_next_, next != granted);
    points_.hit(largest_age_, age == largest_of(size_.age_bits));
    points_.hit(no_age_, age == 0);
  }
  void sample_weights(const FlitArbiterInputs& inputs, unsigned granted, const FlitArbiterReference& state) {
    const unsigned application = state.application(inputs, granted), weight = state.weight(inputs, application);
    bool waits = false;  // whether a packet of the application that was served last waits
    unsigned of_it = 0, of_others = 0;
    for (unsigned i = 0; i < size_.inputs; ++i) {
      if (!has_bit(inputs.head_valid, i)) continue;
      waits |= state.application(inputs, i) == turn_;
      ++(state.application(inputs, i) == application ? of_it : of_others);
    }
    const bool goes_on = !over_ && application == turn_;
    had_ = (goes_on ? had_ : 0) + state.flits(inputs, granted);
    points_.hit(goes_on_, goes_on);
    points_.hit(exact_, had_ == weight);
    points_.hit(exceeded_, had_ > weight);
    points_.hit(given_up_, !over_ && !waits);
    points_.hit(again_, over_ && application == turn_ && of_others == 0);
    points_.hit(several_inputs_, of_it > 1);
    points_.hit(applications_[application]);
    points_.hit(turns_[turn_ * size_.applications + application]);
    turn_ = application;
    over_ = had_ >= weight;
  }

  FlitArbiterSize size_;
  InputSet all_;
  CoveragePoints points_;
  Id all_wait_, none_waits_, held_back_, alone_again_, passes_others_, reset_with_packets_;
  Id as_old_, oldest_not_next_, largest_age_, no_age_;
  Id goes_on_, exact_, exceeded_, given_up_, again_, several_inputs_;
  std::vector<Id> granted_, longest_, applications_, turns_;  ///< turns_[from * applications + to]

  // What was served last.
  unsigned last_ = 0, turn_ = 0, had_ = 0;
  bool over_ = true;
};

}  // namespace gputlm
