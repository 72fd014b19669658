/// Functional coverage of a kernel order: situations that traffic must reach for the run to be meaningful.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbench/kinds/kernel_order/reference.h"
#include "testbench/lockstep/points.h"

namespace gputlm {

class KernelOrderCoverage {
 public:
  /// Adds the points that a design of this size can reach.
  KernelOrderCoverage(const KernelOrderSize& size, const std::string&) : size_(size) {
    const bool several = size.kernels > 2;
    all_in_flight_ = points_.add(true, "all numbers are in use");
    none_ = points_.add(true, "no kernel is in flight");
    nothing_left_ = points_.add(true, "kernels are in flight, none has blocks left");
    pending_of_none_ = points_.add(true, "a number that is not in use is shown as pending");
    reset_in_flight_ = points_.add(true, "reset with kernels in flight");
    more_urgent_ = points_.add(true, "a kernel that came later goes first, it is more urgent");
    several_levels_ = points_.add(several, "several kernels of the most urgent level wait, and one below");
    first_has_higher_ = points_.add(true, "of two of a level the first one has the higher number");
    first_has_lower_ = points_.add(true, "of two of a level the first one has the lower number");
    ahead_has_none_ = points_.add(true, "the kernel ahead has no blocks left");
    next_ends_ = points_.add(true, "the next kernel ends");
    other_ends_ = points_.add(true, "another kernel than the next one ends");
    enters_beside_ = points_.add(true, "a kernel comes while another is next");
    most_urgent_ = points_.add(true, "the next kernel is of the most urgent level");
    least_urgent_ = points_.add(true, "the next kernel is of the least urgent level");
    next_ = points_.add_each(true, "next is kernel", size.kernels);
    enters_ = points_.add_each(true, "a kernel comes, of number", size.kernels);
    ends_ = points_.add_each(true, "a kernel ends, of number", size.kernels);
  }
  /// Samples a cycle before its rising edge.
  void sample(const KernelOrderInputs& inputs, std::optional<unsigned> next, const KernelOrderOutputs&,
              const KernelOrderReference& state) {
    const auto& kernels = state.kernels();
    if (!inputs.rst_n) {
      points_.hit(reset_in_flight_, !kernels.empty());
      return;
    }
    points_.hit(all_in_flight_, kernels.size() == size_.kernels);
    points_.hit(none_, kernels.empty());
    points_.hit(nothing_left_, !kernels.empty() && !next);
    for (unsigned k = 0; k < size_.kernels; ++k)
      points_.hit(pending_of_none_, has_bit(inputs.pending, k) && !state.in_flight(k));
    if (inputs.event_valid) {
      points_.hit((inputs.event_enter ? enters_ : ends_)[inputs.event_kernel]);
      points_.hit(enters_beside_, inputs.event_enter && next);
      points_.hit(next_ends_, !inputs.event_enter && next == inputs.event_kernel);
      points_.hit(other_ends_, !inputs.event_enter && next && next != inputs.event_kernel);
    }
    if (next) sample_order(inputs, *next, state);
  }
  const CoveragePoints& points() const { return points_; }

 private:
  using Id = CoveragePoints::Id;
  void sample_order(const KernelOrderInputs& inputs, unsigned next, const KernelOrderReference& state) {
    const auto& kernels = state.kernels();
    const auto found = std::find_if(kernels.begin(), kernels.end(),
                                    [=](const KernelOrderReference::Kernel& kernel) { return kernel.number == next; });
    bool before = true, below = false, beside = false;
    for (auto kernel = kernels.begin(); kernel != kernels.end(); ++kernel) {
      if (kernel == found) {
        before = false;
        continue;
      }
      const bool pending = has_bit(inputs.pending, kernel->number);
      points_.hit(ahead_has_none_, before && !pending && kernel->level <= found->level);
      if (!pending) continue;
      points_.hit(more_urgent_, before && kernel->level > found->level);
      below |= kernel->level > found->level;
      if (kernel->level != found->level) continue;
      beside = true;
      points_.hit(first_has_higher_, kernel->number < next);
      points_.hit(first_has_lower_, kernel->number > next);
    }
    points_.hit(several_levels_, below && beside);
    points_.hit(most_urgent_, found->level == 0);
    points_.hit(least_urgent_, found->level == largest_of(size_.level_bits));
    points_.hit(next_[next]);
  }

  KernelOrderSize size_;
  CoveragePoints points_;
  Id all_in_flight_, none_, nothing_left_, reset_in_flight_, pending_of_none_;
  Id more_urgent_, several_levels_, first_has_higher_, first_has_lower_, ahead_has_none_;
  Id next_ends_, other_ends_, enters_beside_, most_urgent_, least_urgent_;
  std::vector<Id> next_, enters_, ends_;
};

}  // namespace gputlm
