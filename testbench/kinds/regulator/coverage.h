/// Functional coverage of a regulator: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "testbench/kinds/regulator/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class RegulatorCoverage {
 public:
  /// Adds the points that a design of this size can reach. For a policy outside the tree: those common to all.
  RegulatorCoverage(const RegulatorSize& size, const std::string& policy)
      : size_(size), own_(size.applications), lent_(size.applications) {
    const bool reclaim = options_owner(policy) == "reclaim", several = size.applications > 1;
    all_fit_ = points_.add(true, "all applications have a request that fits");
    none_waits_ = points_.add(true, "no application has a request");
    held_back_ = points_.add(true, "a request fits and does not pass");
    held_back_at_begin_ = points_.add(true, "a request fits and does not pass as its period begins");
    passes_at_begin_ = points_.add(true, "a request passes as its period begins");
    waits_at_begin_ = points_.add(true, "a request waits in vain as its period begins");
    lapse_ = points_.add(true, "tokens lapse");
    all_begin_ = points_.add(several, "the periods of all begin");
    some_begin_ = points_.add(several, "the periods of some begin, others have requests");
    several_periods_ = points_.add(size.length_bits > 1, "a request larger than the budget passes");
    reset_with_requests_ = points_.add(true, "reset while requests wait");
    other_passes_ = points_.add(several, "a request passes while another waits in vain");
    borrows_ = points_.add(reclaim && several, "a request takes of what has lapsed");
    borrows_all_ = points_.add(reclaim && several, "a request takes all that has lapsed");
    from_others_alone_ = points_.add(reclaim && several, "a request passes without a token of its own");
    own_after_lending_ = points_.add(reclaim && several, "an application that left tokens takes its whole budget");
    passes_ = points_.add_each(true, "a request passes of application", size.applications);
    waits_ = points_.add_each(true, "a request waits in vain of application", size.applications);
    last_token_ = points_.add_each(true, "the last token is taken of application", size.applications);
    length_ = points_.add_each(true, "a request of the fewest or most bytes passes:", 2);
  }
  /// Samples a cycle before its rising edge.
  void sample(const RegulatorInputs& inputs, std::uint32_t fits, const RegulatorOutputs&,
              const RegulatorReference& state) {
    if (!inputs.rst_n) {
      points_.hit(reset_with_requests_, inputs.head_valid != 0);
      for (unsigned a = 0; a < size_.applications; ++a) own_[a] = state.budget(inputs, a);
      lent_.assign(size_.applications, false);
      pool_ = 0;
      return;
    }
    const std::uint32_t all = (1u << size_.applications) - 1, in_vain = inputs.head_valid & ~fits;
    points_.hit(all_fit_, fits == all);
    points_.hit(none_waits_, inputs.head_valid == 0);
    points_.hit(held_back_, fits != 0 && inputs.pass == 0);
    points_.hit(held_back_at_begin_, (fits & ~inputs.pass & inputs.begin) != 0);
    points_.hit(passes_at_begin_, (inputs.pass & inputs.begin) != 0);
    points_.hit(waits_at_begin_, (in_vain & inputs.begin) != 0);
    points_.hit(all_begin_, inputs.begin == all);
    points_.hit(some_begin_, inputs.begin != 0 && (inputs.head_valid & ~inputs.begin) != 0);
    points_.hit(other_passes_, inputs.pass != 0 && in_vain != 0);
    for (unsigned a = 0; a < size_.applications; ++a) {
      points_.hit(waits_[a], (in_vain >> a & 1) != 0);
      if (inputs.pass >> a & 1) sample_pass(a, state.bytes(inputs, a), state.budget(inputs, a));
    }
    if (inputs.begin != 0) begin(inputs, fits, state);
  }
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_pass(unsigned application, Bytes bytes, Bytes budget) {
    Bytes& own = own_[application];
    const Bytes borrowed = bytes - std::min(bytes, own);
    points_.hit(passes_[application]);
    points_.hit(last_token_[application], bytes == own);
    points_.hit(several_periods_, bytes > budget && borrowed == 0);
    points_.hit(length_[0], bytes == 1);
    points_.hit(length_[1], bytes == largest_of(size_.length_bits));
    points_.hit(borrows_, borrowed > 0);
    points_.hit(borrows_all_, borrowed > 0 && borrowed == pool_);
    points_.hit(from_others_alone_, own == 0 && bytes > 0);
    points_.hit(own_after_lending_, lent_[application] && bytes == own);
    own -= bytes - borrowed;
    pool_ -= std::min(pool_, borrowed);
  }
  void begin(const RegulatorInputs& inputs, std::uint32_t fits, const RegulatorReference& state) {
    pool_ = 0;
    for (unsigned a = 0; a < size_.applications; ++a) {
      if ((inputs.begin >> a & 1) == 0) continue;
      const bool keeps = (inputs.head_valid & ~fits) >> a & 1;
      points_.hit(lapse_, !keeps && own_[a] > 0);
      lent_[a] = !keeps && own_[a] > 0;
      if (!keeps) pool_ += std::exchange(own_[a], 0);
      own_[a] += state.budget(inputs, a);
    }
  }

  RegulatorSize size_;
  CoveragePoints points_;
  Id all_fit_, none_waits_, held_back_, held_back_at_begin_, passes_at_begin_, waits_at_begin_, lapse_, all_begin_;
  Id some_begin_, several_periods_, reset_with_requests_, other_passes_;
  Id borrows_, borrows_all_, from_others_alone_, own_after_lending_;
  std::vector<Id> passes_, waits_, last_token_, length_;

  // Tokens, according to the rule.
  std::vector<Bytes> own_;
  std::vector<bool> lent_;  ///< whether each left some of its tokens of the last period
  Bytes pool_ = 0;
};

}  // namespace gputlm
